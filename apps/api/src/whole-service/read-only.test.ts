// @module-tag slow

import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../testing/api.ts';
import { startReplicatedDatabase, type ReplicatedDatabase } from '../testing/streaming-replica.ts';
import { startProxyTo, type TcpProxy } from '../testing/tcp-proxy.ts';

let database: ReplicatedDatabase;
/** The address of the database, whichever server it leads to. */
let proxy: TcpProxy;
let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  database = await startReplicatedDatabase();
  const through = await startProxyTo(database.primaryUrl);
  proxy = through.proxy;
  api = await startTestApi({ DATABASE_STATEMENT_TIMEOUT_MS: '2000' }, { databaseUrl: through.url });
  user = await newUser(api);
});
afterAll(async () => {
  await api?.close();
  await proxy?.close();
  await database?.close();
});

const portOf = (url: string) => Number(new URL(url).port);
const ready = async () => (await call(api, 'health.ready')).status;

async function create(title: string): Promise<number> {
  const body = { title };
  const response = await call(api, 'collections.create', { token: user.token, body });
  if (response.status === 503) expect(response.body.code).toBe('service_unavailable');
  return response.status;
}

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const owner = postgres(database.primaryUrl, { max: 1, onnotice: () => {} });
  try {
    await owner.unsafe(`alter system set default_transaction_read_only = ${value}`);
    await owner`select pg_reload_conf()`;
    await expect
      .poll(async () => {
        const [row] = await owner`select current_setting('default_transaction_read_only') as now`;
        return row?.['now'];
      })
      .toBe(value);
  } finally {
    await owner.end();
  }
}

test('a server that becomes read-only is away, and is left as soon as the address leads to another one', async () => {
  expect([await create('Before'), await ready()]).toEqual([201, 200]);
  // All connections of the pool are open.
  await Promise.all(Array.from({ length: 16 }, (_, index) => create(`Crowd ${index}`)));

  await setReadOnly('on');
  for (let count = 0; count < 10; count += 1) expect(await create('Meanwhile')).toBe(503);
  const { status, body } = await call(api, 'health.ready');
  expect([status, body.message]).toEqual([503, 'The database is away']);

  // The next connections lead to a server in recovery. It is refused, though it would serve reads.
  proxy.redirect(portOf(database.replicaUrl));
  await expect
    .poll(async () => (await call(api, 'collections.list', { token: user.token })).status)
    .toBe(503);
  expect([await create('Meanwhile'), await ready()]).toEqual([503, 503]);

  await database.catchUp();
  await database.promoteReplica();
  await expect.poll(() => create('After'), { timeout: 5_000 }).toBe(201);
  expect(await ready()).toBe(200);
  // No connection to the former server is left, not among the idle ones either.
  const crowd = Array.from({ length: 16 }, (_, index) => create(`Crowd after ${index}`));
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([201]));
  for (let count = 0; count < 30; count += 1) expect(await create(`After ${count}`)).toBe(201);
});
