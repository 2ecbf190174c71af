import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, memoryTokens, type Client } from '@atelier/client';
import { upload } from '@atelier/client/upload';
import postgres from 'postgres';
import { runOnce, type Container } from './container.ts';
import type { Engine } from './engine.ts';
import { callOnKeptConnections, type KeptCalls } from './kept-calls.ts';

/** The image, and where what it needs and what it serves is. */
export interface Subject {
  readonly engine: Engine;
  readonly image: string;
  /** Of the service. */
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  readonly mailUrl: string;
  readonly databaseUrl: string;
}

const migrations = join(import.meta.dirname, '../../../../apps/api/migrations/meta/_journal.json');
const patienceMs = 60_000;
const pollMs = 100;
/** Whoever has these can build, fetch or install something. */
const tools = ['npm', 'npx', 'pnpm', 'yarn', 'gcc', 'cc', 'make', 'git', 'curl', 'wget', 'python3'];
const uid = 10_001;
/** Two parts. */
const uploadBytes = 9 * 1024 ** 2;
const clients = 50;

/** Brings an empty database up to date, and leaves one alone that is. */
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

/** @returns what there is of package managers, compilers and the like */
export async function checkContents({ engine, image }: Subject, name: string): Promise<string[]> {
  const command = ['sh', '-c', `for tool in ${tools.join(' ')}; do command -v $tool; done; true`];
  const found = await runOnce(engine, { image, name, environment: {}, command });
  return found.split('\n').filter((line) => line !== '');
}

/** Resolves when the service says that it may be called. */
export async function checkReadiness({ url }: Subject, api: Container): Promise<string[]> {
  const deadline = performance.now() + patienceMs;
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

/** The program itself is the first process, is nobody, and may change nothing. */
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

/** Runs what the image says of its health, as an engine does. */
export async function checkHealth(api: Container): Promise<string[]> {
  const test = await api.inspect('.Config.Healthcheck.Test');
  if (!Array.isArray(test) || test[0] !== 'CMD') return [`health: ${JSON.stringify(test)}`];
  return api.execute(...test.slice(1).map(String)).then(
    () => [],
    () => ['its command failed'],
  );
}

/** The page at its addresses, and every file that it names. */
export async function checkWebApp({ url }: Subject): Promise<string[]> {
  const accept = 'text/html';
  const page = await (await fetch(`${url}/`, { headers: { accept } })).text();
  const inside = await (await fetch(`${url}/collections`, { headers: { accept } })).text();
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file);
  const findings = page === inside ? [] : ['/collections is not the page of the app'];
  if (!files.some((file) => file.endsWith('.js'))) findings.push(`/ names no script: ${page}`);
  for (const file of files) {
    const response = await fetch(`${url}${file}`);
    const { byteLength } = await response.arrayBuffer();
    const isGood = response.status === 200 && byteLength > 0;
    if (!isGood) findings.push(`${file}: ${response.status}, ${byteLength} bytes`);
  }
  return findings;
}

/** Registers, follows the mailed link, logs in, uploads two parts, and has the file back as it was. */
export async function checkJourney({ url, mailUrl }: Subject): Promise<string[]> {
  const [email, password] = ['person@example.com', 'correct horse battery'];
  const client = createClient({ baseUrl: url, tokens: memoryTokens() });
  await client.auth.register({ body: { email, password, firstName: 'Ada' } });
  await client.auth.verifyEmail({ body: { token: await mailedToken(mailUrl, email) } });
  await client.auth.login({ body: { email, password } });
  const { id: collectionId } = await client.collections.create({ body: { title: 'Pictures' } });
  const content = Buffer.alloc(uploadBytes, 'what is sent is what comes back ');
  const file = new Blob([content]);
  const { id } = await upload(client, file, { collectionId, fileName: 'file.bin' }).done;
  const asset = await inspected(client, id);
  const response = await fetch(asset.assetLongUrl);
  const back = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(content).digest('hex');
  return [
    ...(back.equals(content) ? [] : [`${back.length} bytes came back, not those that were sent`]),
    ...(asset.checksum === sha256 ? [] : [`its checksum is said to be ${asset.checksum}`]),
  ];
}

/** The mail, and what is known of a file's content, come from the process of the jobs. */
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
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(pollMs);
  }
  throw new Error(`${what} does not come`);
}

async function untilUnderLoad(calls: KeptCalls): Promise<void> {
  while (calls.answers < clients * 2) await delay(pollMs);
}

/** Stopped under load, it finishes what it has, says that it is leaving, and ends by 0. */
export async function checkStopping({ url }: Subject, api: Container): Promise<string[]> {
  const calls = callOnKeptConnections(`${url}/api/plan`, { clients });
  await Promise.race([untilUnderLoad(calls), calls.ended]);
  const [unanswered, unready, code] = await Promise.all([
    calls.ended,
    untilUnready(`${url}/health/ready`),
    api.stop(),
  ]);
  return [...unanswered, ...unready, ...(code === 0 ? [] : [`it ended by ${code}`])];
}

/** Resolves when the probe says that it is stopping, which is before it takes no more calls. */
async function untilUnready(url: string): Promise<string[]> {
  for (;;) {
    try {
      const { status } = await fetch(url);
      if (status === 503) return [];
    } catch (error) {
      return [`${url} never said that it is stopping: ${String(error)}`];
    }
    await delay(pollMs);
  }
}
