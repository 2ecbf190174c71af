import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { describe, expect, inject, test, vi } from 'vitest';
import { cloneDatabase } from '../testing/api.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import { connectDatabase } from './client.ts';
import type { Database } from './executor.ts';
import { createScopes, everywhere } from './scopes.ts';
import { statement } from './session/statement.ts';

interface Queue {
  readonly length: number;
  push(item: object): void;
  shift(): object | undefined;
  remove(item: object): object | null;
}

const { default: createQueue } = (await import(
  new URL('queue.js', import.meta.resolve('postgres')).href
)) as { default: () => Queue };

/** One item always waits, as in a pool under steady load: the queue never gets empty. */
function keepBusy(queue: Queue, times: number): void {
  for (let index = 0; index < times; index += 1) {
    queue.push({ index });
    queue.shift();
  }
}

/** See docs/decisions for the patch of postgres.js that this test covers. */
describe('the queue of the pool', () => {
  test('returns items in order, and removes by identity', () => {
    const queue = createQueue();
    const [first, second, third] = [{}, {}, {}];
    for (const item of [first, second, third]) queue.push(item);
    expect(queue.remove(second)).toBe(second);
    expect(queue.remove(second)).toBeNull();
    expect([queue.length, queue.shift(), queue.shift(), queue.shift()]).toEqual([
      2,
      first,
      third,
      undefined,
    ]);
  });

  test('holds no more after five million turns than after fifty thousand', () => {
    const queue = createQueue();
    queue.push({});
    keepBusy(queue, 50_000);
    const first = process.memoryUsage().heapTotal;
    keepBusy(queue, 5_000_000);
    // Each turn used to leave a slot behind: more than 100 MiB here. The young generation may grow once.
    expect(process.memoryUsage().heapTotal - first).toBeLessThan(64 * 1024 ** 2);
    expect(queue.length).toBe(1);
  });
});

test('a query keeps no closures that settle it: collections would carry it into the old generation', () => {
  // It is neither sent nor waited for.
  const query = postgres()`select 1`;
  expect(Object.hasOwn(query, 'resolve')).toBe(false);
  expect(Object.hasOwn(query, 'reject')).toBe(false);
});

describe('a transaction whose connection is lost', () => {
  /** Ends the connection, and makes the pool open a replacement. */
  async function loseConnection(db: Database, pid: number): Promise<void> {
    const other = postgres(inject('services').postgresUrl, { max: 1 });
    await other`select pg_terminate_backend(${pid}, 5000)`;
    await other.end();
    await vi.waitFor(() => db.execute(sql`select 1`), { timeout: 5_000 });
  }

  test('changes nothing more, not on the replacement either, and ends no process', async () => {
    const url = await cloneDatabase();
    const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
    await db.execute(sql`create table kept (word text)`);
    const late: unknown[] = [];
    const lost = db.transaction(async (tx) => {
      const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await tx.execute(sql`insert into kept values ('early')`);
      await loseConnection(db, row?.pid ?? 0);
      await tx
        .execute(sql`insert into kept values ('late')`)
        .catch((error: unknown) => late.push(error));
    });
    await expect(lost).rejects.toThrow(/CONNECTION_CLOSED|terminating/);
    await vi.waitFor(() => expect(late).toHaveLength(1), { timeout: 5_000 });
    expect(await db.execute(sql`select word from kept`)).toEqual([]);
    await close(1);
  });

  test('does not roll back the transaction on the replacement', async () => {
    const url = await cloneDatabase();
    const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
    await db.execute(sql`create table kept (word text)`);
    const [waiting, failLate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lost = db.transaction(async (tx) => {
      const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await loseConnection(db, row?.pid ?? 0);
      waiting.resolve();
      await failLate.promise;
    });
    await expect(lost).rejects.toThrow(/CONNECTION_CLOSED|terminating/);
    await waiting.promise;
    await db.transaction(async (tx) => {
      await tx.execute(sql`insert into kept values ('next')`);
      failLate.reject(new Error('what it waited for failed, too'));
      await new Promise((resolve) => setImmediate(resolve));
      await tx.execute(sql`select 1`);
    });
    expect(await db.execute(sql`select word from kept`)).toEqual([{ word: 'next' }]);
    await close(1);
  });
});

const backend = statement((builder) =>
  builder.select({ pid: sql<number>`pg_backend_pid()` }).from(sql`(select 1) as one`),
);

/** The server processes of some statements that are sent at once. */
async function pids(db: Database, times: number): Promise<Set<number>> {
  const rows = await Promise.all(Array.from({ length: times }, () => backend(db)));
  return new Set(rows.flat().map(({ pid }) => pid));
}

describe('a pool with idle connections', () => {
  test('uses the one that was used last', async () => {
    const url = inject('services').postgresUrl;
    const { db, close } = connectDatabase({ url, maxConnections: 3, statementTimeoutMs: 5_000 });
    expect((await pids(db, 200)).size).toBe(3);
    const used = [];
    for (let count = 0; count < 5; count += 1) used.push(...(await pids(db, 1)));
    expect(new Set(used).size).toBe(1);
    const inTransaction = await db.transaction((tx) => backend(tx));
    expect(inTransaction.map(({ pid }) => pid)).toEqual(used.slice(0, 1));
    await close(1);
  });

  test('keeps none of them once the server refuses changes: the others would fail later', async () => {
    const url = inject('services').postgresUrl;
    const { db, close } = connectDatabase({ url, maxConnections: 3, statementTimeoutMs: 5_000 });
    const before = await pids(db, 200);
    const change = db.transaction((tx) => tx.execute(sql`create table refused ()`), {
      accessMode: 'read only',
    });
    await expect(change).rejects.toMatchObject({ cause: { code: '25006' } });
    const after = await pids(db, 200);
    expect([before.size, after.size]).toEqual([3, 3]);
    expect([...after].filter((pid) => before.has(pid))).toEqual([]);
    await close(1);
  });
});

describe('the database for short statements', () => {
  test('sends many statements over two connections of its own', async () => {
    const url = inject('services').postgresUrl;
    const { db, quickDb, load, close } = connectDatabase({
      url,
      maxConnections: 3,
      statementTimeoutMs: 5_000,
    });
    const [common, own] = [await pids(db, 200), await pids(quickDb, 200)];
    expect([common.size, own.size]).toEqual([3, 2]);
    expect([...own].filter((pid) => common.has(pid))).toEqual([]);
    // What waits for it counts as load.
    const asked = pids(quickDb, 50);
    expect(load().underWay).toBe(50);
    await asked;
    expect(load().underWay).toBe(0);
    await close(1);
  });

  test('serves while every connection of the pool is held', async () => {
    const url = inject('services').postgresUrl;
    const options = { url, maxConnections: 1, statementTimeoutMs: 5_000 };
    const { db, quickDb, close } = connectDatabase(options);
    await db.transaction(async () => {
      expect((await pids(quickDb, 20)).size).toBeGreaterThan(0);
    });
    await close(1);
  });

  test('is the pool itself where statements need a scope', async () => {
    const url = inject('services').postgresUrl;
    const scopes = createScopes();
    const options = { url, maxConnections: 1, statementTimeoutMs: 5_000, scopes };
    const { db, quickDb, close } = connectDatabase(options);
    const both = await everywhere(scopes, async () => [await pids(db, 1), await pids(quickDb, 1)]);
    expect(both[0]).toEqual(both[1]);
    await close(1);
  });
});

describe('the load of a pool', () => {
  test('counts running statements, and transactions without a connection', async () => {
    const url = await cloneDatabase();
    const { db, load, close } = connectDatabase({
      url,
      maxConnections: 1,
      statementTimeoutMs: 5_000,
    });
    await db.execute(sql`select 1`);
    expect(load()).toEqual({ underWay: 0, maxConnections: 1 });
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = db.transaction(async (tx) => {
      begun.resolve();
      await goOn.promise;
      await tx.execute(sql`select 1`);
    });
    await begun.promise;
    expect(load().underWay).toBe(0);
    const all = Promise.all([
      first,
      db.transaction(async (tx) => tx.execute(sql`select 1`)),
      db.execute(sql`select 1`),
      db.execute(sql`select 1`),
    ]);
    // Statements start when they are awaited.
    await new Promise((resolve) => setImmediate(resolve));
    expect(load().underWay).toBe(3);
    goOn.resolve();
    await all;
    expect(load().underWay).toBe(0);
    await close(1);
  });

  test('forgets failed statements', async () => {
    const url = new URL(await cloneDatabase());
    url.port = '1';
    const { db, load, close } = connectDatabase({
      url: url.href,
      maxConnections: 1,
      statementTimeoutMs: 5_000,
    });
    const failed = await Promise.allSettled([
      db.execute(sql`select 1`),
      db.transaction(async (tx) => tx.execute(sql`select 1`)),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(load().underWay).toBe(0);
    await close(1);
  });
});

/**
 * A pooler in transaction mode reassigns a connection at the end of a statement. Responses to statements that
 * were sent in between would be lost.
 */
test('without prepared statements, nothing is sent before the previous response has arrived', async () => {
  const url = new URL(await cloneDatabase());
  const said: string[] = [];
  const named = (request: string) => /first|second|third/.exec(request)?.[0];
  const way = await startTcpProxy(Number(url.port), {
    onRequest(request) {
      const name = named(request);
      if (name) said.push(`${name} asked`);
      return 'pass';
    },
    onResponse(request) {
      const name = named(request);
      if (name) said.push(`${name} answered`);
      return 'pass';
    },
  });
  url.port = String(way.port);
  const { db, close } = connectDatabase({
    url: url.href,
    maxConnections: 1,
    statementTimeoutMs: 5_000,
    prepare: false,
  });
  await db.execute(sql`select 1`);
  await Promise.all([
    db.execute(sql`select 'first', pg_sleep(0.1)`),
    db.execute(sql`select 'second', pg_sleep(${0.1})`),
    db.execute(sql`select 'third', pg_sleep(0.1)`),
  ]);
  const order = said.filter((event, index) => event !== said[index - 1]);
  const names = order.map((event) => event.split(' ')[0]);
  // The events of one come before any of the next.
  expect(names).toEqual(names.toSorted());
  expect(new Set(names)).toEqual(new Set(['first', 'second', 'third']));
  await close(1);
  await way.close();
});

/** The return value of a socket whose peer is too busy to read; the data is sent all the same. */
async function fullSocket({ host, port }: { host: string[]; port: number[] }): Promise<Socket> {
  const socket = connect({ host: host[0], port: port[0] ?? 0 });
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = (...given: unknown[]) => {
    write(...given);
    return false;
  };
  await once(socket, 'connect');
  return socket;
}

test('a transaction has its own connection, even if the socket is full', async () => {
  // The library accepts a custom socket; its types don't.
  const options = { max: 2, socket: fullSocket, onnotice: () => {} };
  const client = postgres(await cloneDatabase(), options);
  const backends = async (tx: postgres.TransactionSql) => {
    const seen = new Set<unknown>();
    for (let statement = 0; statement < 3; statement += 1) {
      const [row] =
        await tx`select pg_backend_pid() as backend, pg_current_xact_id() as transaction`;
      seen.add(JSON.stringify(row));
    }
    return seen.size;
  };
  await Promise.all([client`select 1`, client`select 2`]);
  // Statements are batched up to 1,024 bytes: one of these fills the batch with its `begin`.
  for (let length = 960; length <= 1_020; length += 2) {
    const text = `select '${'x'.repeat(length)}'`;
    const others = [1, 2].map(() => client.unsafe(text).execute());
    const transactions = [1, 2, 3, 4].map(() => client.begin(backends));
    expect(await Promise.all(transactions)).toEqual([1, 1, 1, 1]);
    await Promise.all(others);
  }
  await client.end({ timeout: 1 });
});
