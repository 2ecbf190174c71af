import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts, startPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { afterEach, expect, test } from 'vitest';
import { connectDatabase } from '../../../../apps/api/src/db/client.ts';
import { findProgram } from '../../../../apps/api/src/testing/programs.ts';
import { startPooler } from './pooler.ts';

const pgbouncer = findProgram('pgbouncer');
if (pgbouncer === null) {
  process.stdout.write('Pooler of this run: none (pgbouncer is not installed)\n');
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Starts a database and connects through PgBouncer in transaction mode, as deployed. */
async function connectThroughPooler(program: string) {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-pooler-'));
  ends.push(() => rmSync(directory, { recursive: true, force: true }));
  const server = await startPostgres({
    dataDir: join(directory, 'postgres'),
    settings: { fsync: 'off' },
  });
  ends.push(() => server.stop());
  const [port = 0] = await freePorts(1);
  const pooler = await startPooler(program, { directory, port, databaseUrl: server.url });
  ends.push(() => pooler.stop());
  const { client, close } = connectDatabase({
    url: pooler.url,
    maxConnections: 1,
    statementTimeoutMs: 5_000,
    prepare: false,
  });
  ends.push(() => close(1));
  const direct = postgres(server.url, { max: 2, onnotice: () => {} });
  ends.push(() => direct.end({ timeout: 1 }));
  return { client, direct };
}

/** Locks a table until released. */
async function lock(direct: postgres.Sql): Promise<{ release(): Promise<void> }> {
  const [isLocked, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = direct.begin(async (sql) => {
    await sql`lock table things in access exclusive mode`;
    isLocked.resolve();
    await mayGo.promise;
  });
  await Promise.race([isLocked.promise, transaction]);
  return {
    async release() {
      mayGo.resolve();
      await transaction;
    },
  };
}

/** Waits until a statement is blocked by the lock: it has arrived and can't be described yet. */
async function untilBlocked(direct: postgres.Sql): Promise<void> {
  for (;;) {
    const [waiting] = await direct`select from pg_locks where not granted`;
    if (waiting) return;
    await delay(5);
  }
}

test.skipIf(pgbouncer === null)(
  'a statement that is described first completes behind one whose end frees the connection',
  async () => {
    const { client, direct } = await connectThroughPooler(pgbouncer ?? '');
    await direct`create table things (name text)`;
    await direct`insert into things values ('a thing')`;
    await client`select 1`;
    const { release } = await lock(direct);
    const results = Promise.all([
      client`select 'first' as name from pg_sleep(0.1)`,
      // A statement with a parameter takes two round trips.
      client`select name from things where name <> ${'none'}`,
    ]);
    await untilBlocked(direct);
    await release();
    // A statement that the pooler forgets would wait for ever.
    const outcome = await Promise.race([results, delay(10_000, 'a statement got no result')]);
    expect(outcome).toEqual([[{ name: 'first' }], [{ name: 'a thing' }]]);
  },
);
