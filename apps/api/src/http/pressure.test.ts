// @module-tag slow

import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { newUser } from '../testing/accounts.ts';
import { call, startTestApi, type TestResponse, type TestApi } from '../testing/api.ts';

let api: TestApi;
afterEach(() => api.close());

function expectRefusal({ status, headers, body }: TestResponse): void {
  expect([status, body.code]).toEqual([503, 'service_unavailable']);
  expect(body.requestId).toBe(headers.get('x-request-id'));
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(headers.get('cache-control')).toBe('no-store');
}

/** A transaction that keeps the only connection of the pool, and statements that wait for it. */
async function occupyPool({ deps: { db } }: TestApi, waiting: number) {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction(async () => {
    begun.resolve();
    await goOn.promise;
  });
  await begun.promise;
  const statements = Array.from({ length: waiting }, () => db.execute(sql`select 1`).execute());
  await turn();
  return async () => {
    goOn.resolve();
    await Promise.all([holding, ...statements]);
  };
}

/** Delays every turn, until the returned function is called. */
function blockEventLoop(): () => Promise<void> {
  let isBlocked = true;
  const blocking = (async () => {
    while (isBlocked) {
      const until = performance.now() + 200;
      while (performance.now() < until);
      await turn();
    }
  })();
  return async () => {
    isBlocked = false;
    await blocking;
  };
}

test('while too many statements wait, requests are refused at once, and served again afterwards', async () => {
  api = await startTestApi({
    DATABASE_POOL_MAX: '1',
    MAX_WAITING_STATEMENTS: '5',
  });
  const user = await newUser(api);
  const release = await occupyPool(api, 20);
  expectRefusal(await call(api, 'collections.list', { token: user.token }));
  expectRefusal(await call(api, 'auth.login', { body: { email: 'a@example.com', password: 'x' } }));
  // If a load balancer removed the process, the others would get more load.
  expect((await call(api, 'health.live')).status).toBe(200);
  const ready = call(api, 'health.ready');
  await release();
  expect((await ready).status).toBe(200);
  expect((await call(api, 'collections.list', { token: user.token })).status).toBe(200);
});

test('as many as may wait are admitted', async () => {
  api = await startTestApi({ DATABASE_POOL_MAX: '1', MAX_WAITING_STATEMENTS: '50' });
  const user = await newUser(api);
  const release = await occupyPool(api, 20);
  const calls = Array.from({ length: 10 }, () =>
    call(api, 'collections.list', { token: user.token }),
  );
  await release();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(10).fill(200));
});

test('while the event loop is late, requests are refused, and served again afterwards', async () => {
  api = await startTestApi({ MAX_EVENT_LOOP_DELAY_MS: '100' });
  await expect.poll(async () => (await call(api, 'plans.list')).status).toBe(200);
  const relieve = blockEventLoop();
  let response: TestResponse | undefined;
  await expect
    .poll(async () => (response = await call(api, 'plans.list')).status, { timeout: 20_000 })
    .toBe(503);
  if (response) expectRefusal(response);
  expect((await call(api, 'health.live')).status).toBe(200);
  expect((await call(api, 'health.ready')).status).toBe(200);
  await relieve();
  await expect
    .poll(async () => (await call(api, 'plans.list')).status, { timeout: 10_000 })
    .toBe(200);
});

test('0 never refuses', async () => {
  api = await startTestApi({
    DATABASE_POOL_MAX: '1',
    MAX_WAITING_STATEMENTS: '0',
    MAX_EVENT_LOOP_DELAY_MS: '0',
  });
  const user = await newUser(api);
  const release = await occupyPool(api, 50);
  const listing = call(api, 'collections.list', { token: user.token });
  await release();
  expect((await listing).status).toBe(200);
});
