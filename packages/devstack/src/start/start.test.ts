// @module-tag slow

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  watch,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { freePorts } from '../ports.ts';
import { recordedPostmaster, servesCluster } from '../postgres/orphan.ts';
import { readRunningStack, runningStackFiles } from './running-stacks.ts';
import type { Secrets } from '../secrets.ts';
import type { StackFile } from './stack-file.ts';

const root = mkdtempSync(join(tmpdir(), 'devstack-start-'));
const dataDir = join(root, 'main');
const script = join(import.meta.dirname, 'testing', 'run-fake.ts');
const marker = join(root, 'marker');
const stateHome = join(root, 'state');
const running = new Set<Started>();

interface StartOptions {
  dataDir: string;
  port: number;
  env?: Record<string, string>;
  /** Runs it under a launcher, as npx and pnpm do. */
  isLaunched?: boolean;
}

/** A start command in a child process. */
class Started {
  output = '';
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;

  constructor(options: StartOptions) {
    const argument = JSON.stringify({ dataDir: options.dataDir, basePort: options.port });
    const launcher = `require('node:child_process').spawn(process.execPath,
      ${JSON.stringify([script, argument])}, { stdio: 'inherit' }); setInterval(() => {}, 1000)`;
    const args = options.isLaunched === true ? ['-e', launcher] : [script, argument];
    // The test runner sets its own BASE_URL.
    const { BASE_URL: _runners, ...inherited } = process.env;
    this.child = spawn(process.execPath, args, {
      env: {
        ...inherited,
        PORT: String(options.port),
        FAKE_API_MARKER: marker,
        XDG_STATE_HOME: stateHome,
        NODE_ENV: 'production',
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exited = once(this.child, 'close').then(() => {
      running.delete(this);
      return this.child.exitCode;
    });
    running.add(this);
  }

  /** Resolves when the output contains the text; rejects when the command ends first. */
  async untilPrinted(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      if (!running.has(this)) throw new Error(`ended without "${text}":\n${this.output}`);
      const { promise: printed, resolve } = Promise.withResolvers<void>();
      this.child.stdout?.once('data', resolve);
      await Promise.race([printed, this.exited]);
    }
  }
}

function start(options: Partial<StartOptions> & { port: number }): Started {
  return new Started({ dataDir, ...options });
}

/** The first ports of two parallel starts. */
async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(10);
  return port;
}

function stackFile(directory = dataDir): StackFile {
  // The command under test writes it; the tests check the fields that they read.
  return JSON.parse(readFileSync(join(directory, 'stack.json'), 'utf8')) as StackFile;
}

const clusterOf = (directory: string): string => join(directory, 'postgres', 'cluster');

/** Whether the process is still a Postgres on the data directory. */
function servesData(pid: number | undefined, directory = dataDir): boolean {
  return pid !== undefined && servesCluster(pid, clusterOf(directory));
}

async function untilDirectoryShows(directory: string, shows: () => boolean): Promise<void> {
  const watcher = watch(directory);
  const changed = (): Promise<unknown> => once(watcher, 'change');
  let change = changed();
  while (!shows()) {
    await change;
    change = changed();
  }
  watcher.close();
}

afterEach(async () => {
  for (const started of running) {
    started.child.kill('SIGTERM');
    await started.exited;
  }
  rmSync(marker, { force: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The URL of the same database for the unprivileged role. */
function asService(ownerUrl: string): unknown {
  const { host, pathname } = new URL(ownerUrl);
  return expect.stringMatching(
    new RegExp(`^postgres://atelier_service:[0-9a-f]{64}@${host}${pathname}$`),
  );
}

describe('a start', () => {
  test('prints the addresses, passes them to the API, and stops the API before the database', async () => {
    const port = await freePort();
    const started = start({ port });
    await started.untilPrinted('Ctrl-C');
    const stack = stackFile();
    expect(statSync(join(dataDir, 'stack.json')).mode & 0o777).toBe(0o600);
    expect(readRunningStack(join(dataDir, 'stack.json'))).toEqual(stack);
    expect(stack).toMatchObject({
      api: `http://localhost:${port}`,
      app: `http://localhost:${port}`,
      mail: `http://localhost:${port + 3}`,
      storage: `http://localhost:${port + 1}`,
      pid: started.child.pid,
      demo: { email: 'demo@example.com', password: expect.stringMatching(/^[a-z0-9-]{17}$/) },
    });
    for (const address of [stack.api, stack.mail, stack.storage, `http://localhost:${port + 4}`]) {
      expect(started.output).toContain(String(address));
    }
    expect(started.output).not.toContain(new URL(stack.databaseUrl).password);
    expect(started.output).not.toContain('was taken');
    expect(started.output).toContain(
      `Open ${stack.app} and sign in as ${stack.demo?.email} with the password ${stack.demo?.password}\n`,
    );
    expect(runningStackFiles({ XDG_STATE_HOME: stateHome })).toEqual([join(dataDir, 'stack.json')]);
    const environment: unknown = await (await fetch(`${stack.api}/environment`)).json();
    expect(environment).toMatchObject({
      PORT: String(port),
      HOST: '127.0.0.1',
      BASE_URL: stack.api,
      APP_URL: stack.api,
      DATABASE_URL: asService(stack.databaseUrl),
      DATABASE_MIGRATION_URL: stack.databaseUrl,
      S3_ENDPOINT: stack.storage,
      S3_BUCKET: 'atelier',
      S3_ACCESS_KEY: stack.storageAccessKey,
      S3_SECRET_KEY: stack.storageSecretKey,
      SMTP_URL: `smtp://127.0.0.1:${port + 2}`,
      OAUTH_GOOGLE_ISSUER: `http://localhost:${port + 4}`,
      OAUTH_GITHUB_USER_ENDPOINT: expect.stringContaining(`:${port + 4}/`),
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
      OUTBOUND_ALLOW_HTTP: 'true',
      TOKEN_ENVELOPE_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
      JWT_SECRET: expect.stringMatching(/^.{32,}$/),
    });
    expect(environment).not.toHaveProperty('NODE_ENV');
    const postmaster = recordedPostmaster(clusterOf(dataDir));
    started.child.kill('SIGINT');
    expect(await started.exited).toBe(0);
    expect(readFileSync(marker, 'utf8')).toBe('database was there');
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false);
    expect(runningStackFiles({ XDG_STATE_HOME: stateHome })).toEqual([]);
    expect(servesData(postmaster)).toBe(false);
  });

  test('prints warnings of the API, writes the rest to a log file, and keeps the log of the previous run', async () => {
    const started = start({ port: await freePort() });
    await started.untilPrinted('API warning: a warning to see');
    expect(started.output).not.toContain('quiet information');
    expect(readFileSync(join(dataDir, 'api.log'), 'utf8')).toContain('quiet information');
    expect(existsSync(join(dataDir, 'api.log.1'))).toBe(true);
  });

  test('on a directory in use names the process and its address, and does not disturb it', async () => {
    const [port, otherPort] = [await freePort(), await freePort()];
    const first = start({ port });
    await first.untilPrinted('Ctrl-C');
    const second = start({ port: otherPort });
    expect(await second.exited).toBe(1);
    expect(second.output).toContain(`process ${first.child.pid}`);
    expect(second.output).toContain(`http://localhost:${port}`);
    expect(second.output.trim().split('\n')).toHaveLength(1);
    expect((await fetch(`http://localhost:${port}/environment`)).status).toBe(200);
    expect(stackFile().pid).toBe(first.child.pid);
  });

  test('in parallel with another one takes the next free ports', async () => {
    const port = await freePort();
    const squatter = createServer().listen(port + 5, '::1');
    await once(squatter, 'listening').catch(() => undefined);
    const other = join(root, 'beside');
    const both = [start({ port }), start({ port, dataDir: other })];
    await Promise.all(both.map((one) => one.untilPrinted('Ctrl-C')));
    const stacks = [stackFile(), stackFile(other)];
    const addresses = stacks.flatMap(({ api, mail, storage, databaseUrl }) => [
      api,
      mail,
      storage,
      new URL(databaseUrl).host,
    ]);
    expect(new Set(addresses).size).toBe(8);
    const output = both.map((one) => one.output).join('\n');
    expect(output).toMatch(/^Port \d+ was taken by another program: http:\S+ is used\.$/m);
    expect(runningStackFiles({ XDG_STATE_HOME: stateHome }).toSorted()).toEqual(
      [other, dataDir].map((directory) => join(directory, 'stack.json')),
    );
    for (const { api, mail, databaseUrl } of stacks) {
      expect(await (await fetch(`${api}/environment`)).json()).toMatchObject({
        DATABASE_URL: asService(databaseUrl),
        DATABASE_MIGRATION_URL: databaseUrl,
      });
      expect((await fetch(`${mail}/email`)).status).toBe(200);
    }
    squatter.close();
  });

  test('continues without the demo account if it can not be created, and tries again next time', async () => {
    rmSync(join(dataDir, 'postgres', 'seeded.json'), { force: true });
    const failing = start({ port: await freePort(), env: { FAKE_SEED: 'fails' } });
    await failing.untilPrinted('Ctrl-C');
    expect(failing.output).toContain('seed failed');
    expect(stackFile().demo).toBeNull();
    failing.child.kill('SIGTERM');
    expect(await failing.exited).toBe(0);
    const next = start({ port: await freePort() });
    await next.untilPrinted('Ctrl-C');
    expect(stackFile().demo).not.toBeNull();
  });

  test('reports missing samples, and creates them the next time', async () => {
    const record = join(dataDir, 'postgres', 'seeded.json');
    rmSync(record, { force: true });
    const failing = start({ port: await freePort(), env: { FAKE_SAMPLES: 'fail' } });
    await failing.untilPrinted('samples failed');
    expect(stackFile().demo).not.toBeNull();
    expect(existsSync(record)).toBe(false);
    failing.child.kill('SIGTERM');
    expect(await failing.exited).toBe(0);
    const next = start({ port: await freePort() });
    await next.untilPrinted('Ctrl-C');
    await expect.poll(() => existsSync(record)).toBe(true);
  });

  test('keeps the password of the demo account when its secrets are made anew', async () => {
    const kept = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets;
    // Directories of earlier versions have none.
    rmSync(join(dataDir, 'postgres', 'demo-password'), { force: true });
    for (const remove of [() => undefined, () => rmSync(join(dataDir, 'secrets.json'))]) {
      remove();
      const started = start({ port: await freePort() });
      await started.untilPrinted('Ctrl-C');
      expect(stackFile().demo?.password).toBe(kept.demoPassword);
      expect(started.output).toContain(`with the password ${kept.demoPassword}\n`);
      started.child.kill('SIGTERM');
      expect(await started.exited).toBe(0);
    }
  });
});

describe('an end', () => {
  test('of the start by a kill ends the API, and the next start cleans up the rest', async () => {
    const started = start({ port: await freePort() });
    await started.untilPrinted('Ctrl-C');
    const postmaster = recordedPostmaster(clusterOf(dataDir));
    started.child.kill('SIGKILL');
    await started.exited;
    // The API writes it when it stops.
    await untilDirectoryShows(root, () => existsSync(marker));
    expect(servesData(postmaster)).toBe(true);
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(true);
    expect(readRunningStack(join(dataDir, 'stack.json'))).toBeNull();
    const next = start({ port: await freePort() });
    await next.untilPrinted('Ctrl-C');
    expect(servesData(postmaster)).toBe(false);
    expect(stackFile().pid).toBe(next.child.pid);
  });

  test('of the program that launched it stops everything', async () => {
    const started = start({ port: await freePort(), isLaunched: true });
    await started.untilPrinted('Ctrl-C');
    const { pid } = stackFile();
    expect(pid).not.toBe(started.child.pid);
    const postmaster = recordedPostmaster(clusterOf(dataDir));
    started.child.kill('SIGKILL');
    await started.exited;
    await untilDirectoryShows(dataDir, () => !existsSync(join(dataDir, 'lock.json')));
    expect(readFileSync(marker, 'utf8')).toBe('database was there');
    expect(servesData(postmaster)).toBe(false);
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false);
  });

  test('of the API ends the rest with its last output and code 1', async () => {
    const port = await freePort();
    const started = start({ port });
    await started.untilPrinted('Ctrl-C');
    const postmaster = recordedPostmaster(clusterOf(dataDir));
    await fetch(`http://localhost:${port}/crash`).catch(() => undefined);
    expect(await started.exited).toBe(1);
    expect(started.output).toContain('The API ended with code 4');
    expect(started.output).toContain('about to crash');
    expect(servesData(postmaster)).toBe(false);
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false);
  });

  test.each([
    { reason: 'a signal', code: 0 },
    { reason: 'the end of the API', code: 1 },
  ])('by $reason also ends the seed of the samples, before the services', async ({ code }) => {
    const record = join(dataDir, 'postgres', 'seeded.json');
    rmSync(record, { force: true });
    const port = await freePort();
    const started = start({ port, env: { FAKE_SAMPLES: 'hang' } });
    await started.untilPrinted('Ctrl-C');
    if (code === 0) started.child.kill('SIGTERM');
    else await fetch(`http://localhost:${port}/crash`).catch(() => undefined);
    expect(await started.exited).toBe(code);
    expect(started.output).toContain('samples ended before the services');
    expect(started.output).not.toContain('are not complete');
    expect(existsSync(record)).toBe(false);
  });

  test('of the database ends the rest with code 1', async () => {
    const started = start({ port: await freePort() });
    await started.untilPrinted('Ctrl-C');
    const postmaster = recordedPostmaster(clusterOf(dataDir));
    if (postmaster === undefined) throw new Error('no postmaster recorded');
    process.kill(postmaster, 'SIGQUIT');
    expect(await started.exited).toBe(1);
    expect(started.output).toContain('Postgres ended unexpectedly');
  });

  test('is forced by a second signal when the API does not stop', async () => {
    const started = start({ port: await freePort(), env: { FAKE_API_MODE: 'hangs' } });
    await started.untilPrinted('Ctrl-C');
    const postmaster = recordedPostmaster(clusterOf(dataDir));
    started.child.kill('SIGINT');
    // Signals within a second count as one: a terminal and a launcher both send it.
    started.child.kill('SIGINT');
    await delay(1_100);
    expect(started.child.exitCode).toBeNull();
    started.child.kill('SIGINT');
    expect(await started.exited).toBe(130);
    const next = start({ port: await freePort() });
    await next.untilPrinted('Ctrl-C');
    expect(servesData(postmaster)).toBe(false);
  });
});

describe('a start that fails prints the reason, exits with 1, and leaves nothing running', () => {
  async function failure(options: Partial<StartOptions>): Promise<string> {
    const started = start({ port: await freePort(), ...options });
    expect(await started.exited).toBe(1);
    expect(started.output).not.toContain('    at ');
    expect(recordedPostmaster(clusterOf(options.dataDir ?? dataDir))).toBeUndefined();
    return started.output;
  }

  test('the API can not start', async () => {
    const output = await failure({ env: { FAKE_API_MODE: 'fails' } });
    expect(output).toContain('The API ended with code 3');
    expect(output).toContain('could not start: no luck');
    expect(output).toContain('a plain last word');
  });

  test('the port is malformed', async () => {
    expect(await failure({ env: { PORT: '80x' } })).toContain('PORT must be a number');
  });

  test('the public URL is malformed', async () => {
    expect(await failure({ env: { BASE_URL: '/' } })).toContain('BASE_URL must be');
  });

  test.each(['DATABASE_MIGRATION_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])(
    '%s is of another database than the embedded one',
    async (name) => {
      const untouched = join(root, 'untouched');
      const env = { [name]: 'postgres://them@127.0.0.1:1/theirs' };
      const output = await failure({ dataDir: untouched, env });
      expect(output).toContain(`but ${name} would lead to another. Set DATABASE_URL as well`);
      expect(existsSync(untouched)).toBe(false);
    },
  );

  test('the public address of the storage is not that of the embedded one', async () => {
    const untouched = join(root, 'untouched');
    const env = { S3_PUBLIC_ENDPOINT: 'https://files.example.com' };
    const output = await failure({ dataDir: untouched, env });
    expect(output).toContain('S3_PUBLIC_ENDPOINT would lead browsers to another. Set S3_ENDPOINT');
    expect(existsSync(untouched)).toBe(false);
  });

  test('the database is damaged', async () => {
    const damaged = join(root, 'beside');
    truncateSync(join(clusterOf(damaged), 'global', 'pg_control'), 10);
    const output = await failure({ dataDir: damaged });
    expect(output).toContain(clusterOf(damaged));
    expect(output).toContain('delete it');
  });
});
