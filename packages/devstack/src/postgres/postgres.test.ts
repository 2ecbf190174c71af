// @module-tag slow

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DirectoryInUse } from '../lock.ts';
import type { PostgresOptions, RunningPostgres } from './index.ts';
import { startPostgres } from './index.ts';
import { servesCluster } from './orphan.ts';

const quick = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
// Private, like a home directory: the server's user can't resolve paths below it.
const root = mkdtempSync(join(tmpdir(), 'devstack-postgres-'));
const pristine = join(root, 'pristine');
let firstStartMs = 0;

beforeAll(async () => {
  const startedAt = performance.now();
  const running = await startPostgres({ dataDir: pristine, settings: quick });
  firstStartMs = performance.now() - startedAt;
  await withSql(running.url, (sql) => sql`CREATE TABLE note AS SELECT 'kept' AS text`);
  await running.stop();
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

async function withSql<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

function copyOfPristine(name: string): string {
  const dataDir = join(root, name);
  cpSync(pristine, dataDir, { recursive: true, preserveTimestamps: true });
  if (process.getuid?.() === 0) restoreOwner(dataDir);
  return dataDir;
}

/** Restores the owner of a copied cluster: a copy by root belongs to root. */
function restoreOwner(dataDir: string): void {
  const { uid, gid } = statSync(join(pristine, 'cluster'));
  spawnSyncChecked('chown', ['-R', `${uid}:${gid}`, join(dataDir, 'cluster')]);
}

function spawnSyncChecked(command: string, args: string[]): void {
  const { status } = spawnSync(command, args);
  if (status !== 0) throw new Error(`${command} failed`);
}

async function withPostgres<T>(
  options: PostgresOptions,
  use: (running: RunningPostgres) => Promise<T>,
): Promise<T> {
  const running = await startPostgres({ settings: quick, ...options });
  try {
    return await use(running);
  } finally {
    await running.stop();
  }
}

function noteIn(url: string): Promise<unknown> {
  return withSql(url, async (sql) => (await sql`SELECT text FROM note`)[0]?.['text']);
}

async function statementRuns(url: string, text: string): Promise<void> {
  await withSql(url, async (sql) => {
    for (;;) {
      const [found] = await sql`
        SELECT FROM pg_stat_activity
        WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE ${`%${text}%`}`;
      if (found !== undefined) return;
    }
  });
}

/** Starts Postgres from another process and kills that process without a chance to clean up. */
async function startAndKillParent(dataDir: string): Promise<number> {
  const module = JSON.stringify(join(import.meta.dirname, 'index.ts'));
  const script = `const { startPostgres } = await import(${module});
    const running = await startPostgres(${JSON.stringify({ dataDir, settings: quick })});
    console.log(running.pid); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: unknown[] = await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  return Number(String(line));
}

describe('a fresh data directory', () => {
  test('has a UTF-8 database in C.UTF-8 order that requires a password and listens on loopback only', async () => {
    await withPostgres({ dataDir: join(root, 'fresh'), database: 'studio' }, async (running) => {
      const row = await withSql(running.url, async (sql) => {
        const [found] = await sql`
          SELECT current_database() AS name, pg_encoding_to_char(encoding) AS encoding,
                 datlocale AS locale, current_setting('listen_addresses') AS addresses,
                 current_setting('unix_socket_directories') AS sockets
          FROM pg_database WHERE datname = current_database()`;
        return found;
      });
      expect(row).toEqual({
        name: 'studio',
        encoding: 'UTF8',
        locale: 'C.UTF-8',
        addresses: '127.0.0.1',
        sockets: '',
      });
      const forged = new URL(running.url);
      forged.password = 'guessed';
      await expect(noteIn(forged.href)).rejects.toMatchObject({ code: '28P01' });
    });
    expect(statSync(join(root, 'fresh', 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'fresh', 'cluster')).mode & 0o777).toBe(0o700);
  });

  test('applies the given settings', async () => {
    await withPostgres(
      { dataDir: join(root, 'fresh'), settings: { work_mem: '7MB' } },
      async ({ url }) => {
        const memory = await withSql(
          url,
          async (sql) => (await sql`SHOW work_mem`)[0]?.['work_mem'],
        );
        expect(memory).toBe('7MB');
      },
    );
  });

  test('is created again after an interrupted initialization', async () => {
    const dataDir = join(root, 'interrupted');
    mkdirSync(join(dataDir, 'cluster.new', 'base'), { recursive: true });
    writeFileSync(join(dataDir, 'password.new'), 'half');
    mkdirSync(join(dataDir, 'cluster'));
    await withPostgres({ dataDir }, async ({ url }) => {
      expect(await withSql(url, async (sql) => (await sql`SELECT 1 AS one`)[0])).toEqual({
        one: 1,
      });
    });
  });
});

describe('a data directory in use', () => {
  test('keeps its data between starts, and the second start is fast', async () => {
    const startedAt = performance.now();
    await withPostgres({ dataDir: pristine }, async ({ url }) => {
      // On a busy machine the start of a program alone takes seconds, but much longer with a new cluster.
      expect(performance.now() - startedAt).toBeLessThan(Math.max(2_000, firstStartMs));
      expect(await noteIn(url)).toBe('kept');
    });
  });

  test('rejects a second server and names the holding process; the first continues', async () => {
    await withPostgres({ dataDir: pristine }, async ({ url, port }) => {
      const refused = await startPostgres({ dataDir: pristine }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(DirectoryInUse);
      expect(String(refused)).toContain(`process ${process.pid}`);
      expect(String(refused)).toContain(`127.0.0.1:${port}`);
      expect(await noteIn(url)).toBe('kept');
    });
  });

  test('serves two directories in parallel', async () => {
    const other = copyOfPristine('neighbour');
    await withPostgres({ dataDir: pristine }, (one) =>
      withPostgres({ dataDir: other }, async (two) => {
        expect(one.port).not.toBe(two.port);
        await withSql(two.url, (sql) => sql`UPDATE note SET text = 'changed'`);
        expect(await noteIn(one.url)).toBe('kept');
        expect(await noteIn(two.url)).toBe('changed');
      }),
    );
  });

  test('names a requested port that is taken', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const address = squatter.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(startPostgres({ dataDir: pristine, port })).rejects.toThrow(
      `Port ${port} is taken`,
    );
    squatter.close();
    await withPostgres({ dataDir: pristine }, async ({ url }) => {
      expect(await noteIn(url)).toBe('kept');
    });
  });

  test('stops while clients are connected', async () => {
    const running = await startPostgres({ dataDir: pristine, settings: quick });
    const sql = postgres(running.url, { max: 1, fetch_types: false });
    const outcome = sql`SELECT pg_sleep(60)`.catch((error: unknown) => error);
    await statementRuns(running.url, 'pg_sleep(60)');
    const startedAt = performance.now();
    await Promise.all([running.stop(), running.stop()]);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(servesCluster(running.pid, join(pristine, 'cluster'))).toBe(false);
    expect(await outcome).toBeInstanceOf(Error);
    await sql.end({ timeout: 0 });
  });
});

describe('after a crash', () => {
  test('stops the server that a killed parent left behind and keeps its data', async () => {
    const dataDir = copyOfPristine('orphaned');
    const orphan = await startAndKillParent(dataDir);
    expect(servesCluster(orphan, join(dataDir, 'cluster'))).toBe(true);
    await withPostgres({ dataDir }, async (running) => {
      expect(servesCluster(orphan, join(dataDir, 'cluster'))).toBe(false);
      expect(running.pid).not.toBe(orphan);
      expect(await noteIn(running.url)).toBe('kept');
    });
  });

  test('recovers when the server itself was killed with a statement running', async () => {
    const dataDir = copyOfPristine('killed');
    const running = await startPostgres({ dataDir });
    const sql = postgres(running.url, { max: 1, fetch_types: false });
    const statement = sql`SELECT pg_sleep(60)`.catch(() => undefined);
    await statementRuns(running.url, 'pg_sleep(60)');
    await withSql(running.url, (other) => other`INSERT INTO note VALUES ('late')`);
    process.kill(running.pid, 'SIGKILL');
    await running.exited;
    await running.stop();
    await withPostgres({ dataDir }, async ({ url }) => {
      const count = await withSql(
        url,
        async (q) => (await q`SELECT count(*)::int AS n FROM note`)[0],
      );
      expect(count).toEqual({ n: 2 });
    });
    await sql.end({ timeout: 0 });
    await statement;
  });

  test('does not kill an unrelated process with the id of the pid file', async () => {
    const dataDir = copyOfPristine('recycled');
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(stranger, 'spawn');
    const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
    writeFileSync(pidFile, `${stranger.pid}\n${join(dataDir, 'cluster')}\n1\n1\n\n127.0.0.1\n`);
    await withPostgres({ dataDir }, async ({ url }) => {
      expect(await noteIn(url)).toBe('kept');
      expect(stranger.exitCode).toBeNull();
    });
    stranger.kill('SIGKILL');
    await once(stranger, 'exit');
    expect(stranger.signalCode).toBe('SIGKILL');
  });
});

describe('a damaged data directory is named with the problem and the remedy', () => {
  const damages: [string, (cluster: string, dataDir: string) => void, RegExp][] = [
    ['no version file', (cluster) => rmSync(join(cluster, 'PG_VERSION')), /PG_VERSION is missing/],
    [
      'another major version',
      (cluster) => writeFileSync(join(cluster, 'PG_VERSION'), '15\n'),
      /made by Postgres 15/,
    ],
    [
      'a version file of garbage',
      (cluster) => writeFileSync(join(cluster, 'PG_VERSION'), '\u0000\u0001'),
      /of an unknown version/,
    ],
    [
      'a truncated control file',
      (cluster) => truncateSync(join(cluster, 'global', 'pg_control'), 100),
      /pg_control has 100 bytes/,
    ],
    [
      'a control file of noise',
      (cluster) => writeFileSync(join(cluster, 'global', 'pg_control'), Buffer.alloc(8192, 7)),
      /Postgres doesn't start on it/,
    ],
    [
      'no write-ahead log',
      (cluster) => rmSync(join(cluster, 'pg_wal'), { recursive: true }),
      /Postgres doesn't start on it/,
    ],
    [
      'a lost password',
      (_, dataDir) => rmSync(join(dataDir, 'password')),
      /password .* can't be read/,
    ],
    [
      'a foreign password',
      (_, dataDir) => writeFileSync(join(dataDir, 'password'), 'other'),
      /the password in .* is wrong/,
    ],
    [
      'a file in its place',
      (cluster) => {
        rmSync(cluster, { recursive: true });
        writeFileSync(cluster, 'hello');
      },
      /not a directory/,
    ],
  ];

  test.each(damages)('%s', async (name, damage, message) => {
    const dataDir = copyOfPristine(`damaged by ${name}`);
    const cluster = join(dataDir, 'cluster');
    damage(cluster, dataDir);
    const refused = await startPostgres({ dataDir, settings: quick }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(Error);
    expect(String(refused)).toMatch(message);
    expect(String(refused)).toContain(cluster);
    expect(String(refused)).toMatch(/Move it away .* or delete it/s);
    // The failure released the directory and stopped the server.
    const again = await startPostgres({ dataDir, settings: quick }).catch(
      (error: unknown) => error,
    );
    expect(String(again)).toMatch(message);
    expect(() => readFileSync(join(cluster, 'postmaster.pid'))).toThrow();
  });
});
