// @module-tag slow

import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../db/client.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call, cloneDatabase, startTestApi, type TestApi } from '../testing/api.ts';
import { inTime } from '../testing/in-time.ts';
import { startProxyTo, type TcpProxy } from '../testing/tcp-proxy.ts';

const statementTimeoutMs = 1_000;
/** The statement timeout, two seconds for the response, and what the service is late to look. */
const maxMs = statementTimeoutMs + 2_000 + 1_800;
/** Statements without a connection wait until none can be opened. */
const connectMs = 5_000;
const maxProbeMs = 2_500;

/** A service with all connections of its pool open, through a proxy. */
async function stage(): Promise<{ api: TestApi; proxy: TcpProxy; user: TestUser }> {
  const databaseUrl = await cloneDatabase();
  const direct = await startTestApi({}, { databaseUrl });
  const { proxy, url } = await startProxyTo(databaseUrl);
  const settings = {
    DATABASE_STATEMENT_TIMEOUT_MS: String(statementTimeoutMs),
    DATABASE_POOL_MAX: '4',
    JOBS: 'separate',
  };
  const api = await startTestApi(settings, { databaseUrl: url });
  onTestFinished(async () => {
    proxy.restore();
    await Promise.all([api.close(), direct.close()]);
    await proxy.close();
  });
  const user = await newUser(direct);
  const sleeping = Array.from({ length: 4 }, () => api.deps.db.execute(sql`select pg_sleep(0.2)`));
  await Promise.all(sleeping);
  expect((await call(api, 'health.ready')).status).toBe(200);
  return { api, proxy, user };
}

test('while the path to the database is silent, every response comes in time, and the next ones after it are right', async () => {
  const { api, proxy, user } = await stage();
  proxy.stall();
  const list = () => call(api, 'collections.list', { token: user.token });
  const responses = await Promise.all([
    inTime(maxProbeMs, call(api, 'health.ready')),
    ...Array.from({ length: 12 }, () => inTime(maxMs + connectMs, list())),
  ]);
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 503));
  proxy.restore();
  await expect.poll(async () => (await list()).status).toBe(200);
  expect((await call(api, 'health.ready')).status).toBe(200);
});

test('connections that fell silent are replaced after the first one is noticed', async () => {
  const { api, proxy, user } = await stage();
  proxy.silence();
  const body = { title: 'Maps' };
  const create = () => inTime(maxMs, call(api, 'collections.create', { token: user.token, body }));
  expect((await create()).status).toBe(503);
  // Each of the others would cost as much.
  for (let count = 0; count < 12; count += 1) expect((await create()).status).toBe(201);
  const probe = () => inTime(maxProbeMs, call(api, 'health.ready'));
  expect([(await probe()).status, (await probe()).status]).toEqual([503, 200]);
});

test('a transaction on a silent path fails, and its connection is not used again', async () => {
  const { proxy, url } = await startProxyTo(await cloneDatabase());
  const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs });
  try {
    await db.execute(sql`create table words (word text)`);
    const lost = db.transaction(async (tx) => {
      await tx.execute(sql`insert into words values ('lost')`);
      proxy.silence();
      await tx.execute(sql`insert into words values ('lost')`);
    });
    await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    await db.execute(sql`insert into words values ('kept')`);
    expect([...(await db.execute(sql`select word from words`))]).toEqual([{ word: 'kept' }]);
  } finally {
    await close(0);
    await proxy.close();
  }
});

test('a connection that ends on a silent path makes room for another one', async () => {
  const { proxy, url } = await startProxyTo(await cloneDatabase());
  const client = postgres(url, { max: 1, idle_timeout: 1, response_timeout: 3 });
  try {
    await client`select 1`;
    proxy.silence();
    const startedAt = performance.now();
    // It has ended by then, and doesn't close.
    await delay(1_200);
    await client`select 1`;
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  } finally {
    await client.end({ timeout: 0 });
    await proxy.close();
  }
});

test('a slow server is not a silent one', async () => {
  const { db, close } = connectDatabase({
    url: await cloneDatabase(),
    maxConnections: 1,
    statementTimeoutMs,
  });
  try {
    const [before] = await db.execute(sql`select pg_backend_pid() as pid`);
    await expect(db.execute(sql`select pg_sleep(10)`)).rejects.toMatchObject({
      cause: { code: '57014' },
    });
    // Longer than any timeout, one after the other.
    for (let count = 0; count < 6; count += 1) await db.execute(sql`select pg_sleep(0.7)`);
    expect((await db.execute(sql`select pg_backend_pid() as pid`))[0]).toEqual(before);
  } finally {
    await close(0);
  }
});
