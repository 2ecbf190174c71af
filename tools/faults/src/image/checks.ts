import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, memoryTokens, type Client } from '@atelier/client';
import { upload } from '@atelier/client/upload';
import postgres from 'postgres';
import { runOnce, type Container } from './container.ts';
import type { Engine } from './engine.ts';
import { sendOnKeepAlive, type KeepAliveRequests } from './keep-alive-requests.ts';

/** The image under test, its services and its address. */
export interface Subject {
  readonly engine: Engine;
  readonly image: string;
  /** The variables of the service. */
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  readonly mailUrl: string;
  readonly databaseUrl: string;
}

const migrations = join(import.meta.dirname, '../../../../apps/api/migrations/meta/_journal.json');
const timeoutMs = 60_000;
const pollMs = 100;
/** Programs that can build, download or install something. */
const tools = ['npm', 'npx', 'pnpm', 'yarn', 'gcc', 'cc', 'make', 'git', 'curl', 'wget', 'python3'];
const uid = 10_001;
/** Two parts. */
const uploadBytes = 9 * 1024 ** 2;
const clients = 50;

/** Checks that migrations bring an empty database up to date and can run again. */
export async function checkMigrations(subject: Subject, name: string): Promise<string[]> {
  const { engine, image, environment, databaseUrl } = subject;
  const command = ['node', 'apps/api/dist/migrate.js'];
  for (let time = 0; time < 2; time += 1) {
    await runOnce(engine, { image, name, environment, command });
  }
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const applied = await sql`select hash from drizzle.__drizzle_migrations`;
  await sql.end();
  // A file of this repository, written by drizzle-kit.
  const { entries } = JSON.parse(readFileSync(migrations, 'utf8')) as { entries: unknown[] };
  return applied.length === entries.length
    ? []
    : [`${applied.length} of ${entries.length} migrations are in the database`];
}

/** Checks for package managers, compilers and download tools. @returns those found */
export async function checkContents({ engine, image }: Subject, name: string): Promise<string[]> {
  const command = ['sh', '-c', `for tool in ${tools.join(' ')}; do command -v $tool; done; true`];
  const found = await runOnce(engine, { image, name, environment: {}, command });
  return found.split('\n').filter((line) => line !== '');
}

/** Waits until the service is ready. */
export async function checkReadiness({ url }: Subject, api: Container): Promise<string[]> {
  const deadline = performance.now() + timeoutMs;
  let last = '';
  while (performance.now() < deadline) {
    last = await fetch(`${url}/health/ready`).then(
      ({ status }) => String(status),
      (error: unknown) => String(error),
    );
    if (last === '200') return [];
    await delay(pollMs);
  }
  return [`/health/ready: ${last}`, ...(await api.log()).split('\n').slice(-10)];
}

const confinement = `
  const { readFileSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const writes = (path) => { try { writeFileSync(path, ''); return true; } catch { return false; } };
  console.log(JSON.stringify({
    uid: process.getuid(),
    gid: process.getgid(),
    capabilities: /^CapEff:\\s+(\\S+)$/m.exec(readFileSync('/proc/1/status', 'utf8'))[1],
    owner: /^Uid:\\s+(\\d+)/m.exec(readFileSync('/proc/1/status', 'utf8'))[1],
    program: readFileSync('/proc/1/cmdline', 'utf8').split('\\0')[0],
    writesTo: ['/srv/atelier/new', '/srv/atelier/package.json', '/usr/local/bin/node'].filter(writes),
  }));`;

/** Checks that the program is process 1, has no privileges and can write nowhere. */
export async function checkConfinement(api: Container): Promise<string[]> {
  const found: unknown = JSON.parse(await api.execute('node', '--eval', confinement));
  const wanted = {
    uid,
    gid: uid,
    capabilities: '0'.repeat(16),
    owner: String(uid),
    program: 'node',
    writesTo: [],
  };
  return JSON.stringify(found) === JSON.stringify(wanted) ? [] : [JSON.stringify(found)];
}

/** Runs the health check of the image, as an engine does. */
export async function checkHealth(api: Container): Promise<string[]> {
  const test = await api.inspect('.Config.Healthcheck.Test');
  if (!Array.isArray(test) || test[0] !== 'CMD') return [`health: ${JSON.stringify(test)}`];
  return api.execute(...test.slice(1).map(String)).then(
    () => [],
    () => ['its command failed'],
  );
}

/** Checks the page of the app and every file that it references. */
export async function checkWebApp({ url }: Subject): Promise<string[]> {
  const accept = 'text/html';
  const page = await (await fetch(`${url}/`, { headers: { accept } })).text();
  const inside = await (await fetch(`${url}/collections`, { headers: { accept } })).text();
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file);
  const findings = page === inside ? [] : ['/collections is not the page of the app'];
  if (!files.some((file) => file.endsWith('.js'))) findings.push(`/ references no script: ${page}`);
  for (const file of files) {
    const response = await fetch(`${url}${file}`);
    const { byteLength } = await response.arrayBuffer();
    const isGood = response.status === 200 && byteLength > 0;
    if (!isGood) findings.push(`${file}: ${response.status}, ${byteLength} bytes`);
  }
  return findings;
}

/** Registers, follows the mailed link, logs in, uploads two parts and downloads the same file. */
export async function checkJourney({ url, mailUrl }: Subject): Promise<string[]> {
  const [email, password] = ['person@example.com', 'correct horse battery'];
  const client = createClient({ baseUrl: url, tokens: memoryTokens() });
  await client.auth.register({ body: { email, password, firstName: 'Ada' } });
  await client.auth.verifyEmail({ body: { token: await mailedToken(mailUrl, email) } });
  await client.auth.login({ body: { email, password } });
  const { id: collectionId } = await client.collections.create({ body: { title: 'Pictures' } });
  const content = Buffer.alloc(uploadBytes, 'the download equals the upload ');
  const file = new Blob([content]);
  const { id } = await upload(client, file, { collectionId, fileName: 'file.bin' }).done;
  const asset = await inspected(client, id);
  const response = await fetch(asset.assetLongUrl);
  const back = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(content).digest('hex');
  return [
    ...(back.equals(content) ? [] : [`the download has ${back.length} other bytes`]),
    ...(asset.checksum === sha256 ? [] : [`the checksum is ${asset.checksum}`]),
  ];
}

/** Reads the token of the mail that the worker sends. */
async function mailedToken(mailUrl: string, email: string): Promise<string> {
  return inTime(`a mail to ${email}`, async () => {
    const mails = await (await fetch(`${mailUrl}/email`)).text();
    return mails.includes(email) ? /\/verify-email\?token=([\w.-]+)/.exec(mails)?.[1] : undefined;
  });
}

async function inspected(client: Client, id: string) {
  return inTime('the checksum of an upload', async () => {
    const asset = await client.assets.get({ params: { id } });
    return asset.checksum === null ? undefined : asset;
  });
}

async function inTime<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(pollMs);
  }
  throw new Error(`${what} does not arrive`);
}

async function untilUnderLoad(load: KeepAliveRequests): Promise<void> {
  while (load.responseCount < clients * 2) await delay(pollMs);
}

/** Checks that a stop under load completes pending requests, announces itself and exits with 0. */
export async function checkStopping({ url }: Subject, api: Container): Promise<string[]> {
  const load = sendOnKeepAlive(`${url}/api/plan`, { clients });
  await Promise.race([untilUnderLoad(load), load.ended]);
  const [failures, unready, code] = await Promise.all([
    load.ended,
    untilUnready(`${url}/health/ready`),
    api.stop(),
  ]);
  return [...failures, ...unready, ...(code === 0 ? [] : [`it exited with ${code}`])];
}

/** Waits until the readiness probe fails, which comes before the API refuses connections. */
async function untilUnready(url: string): Promise<string[]> {
  for (;;) {
    try {
      const { status } = await fetch(url);
      if (status === 503) return [];
    } catch (error) {
      return [`${url} never reported that the API is stopping: ${String(error)}`];
    }
    await delay(pollMs);
  }
}
