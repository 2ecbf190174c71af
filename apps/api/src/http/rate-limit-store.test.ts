// @module-tag slow

import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { rateLimits } from '../db/generated/schema.ts';
import { enqueueJob } from '../domain/job-queue.ts';
import { newUser } from '../testing/accounts.ts';
import { cloneDatabase, someEmail, startTestApi, type TestApi } from '../testing/api.ts';
import {
  anonymousCall,
  limited,
  logInFrom,
  someAddress,
  statuses,
} from '../testing/rate-limits.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';

describe('counters in the database', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({
      ...limited,
      RATE_LIMIT_LOGIN_FAILURES_PER_ACCOUNT: '2',
      RATE_LIMIT_LOGIN_FAILURES_PER_ADDRESS: '3',
      RATE_LIMIT_LOGIN_WINDOW_SECONDS: '30',
    });
  });
  afterAll(() => api.close());

  test('follow the configured limits and windows', async () => {
    const attempt = (address: string, email: string) =>
      logInFrom(api, address, { email, password: 'wrong' });
    const email = someEmail();
    const first = await attempt(someAddress(), email);
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"login-address";q=3;w=30, "login-account";q=2;w=30',
    );
    expect(await statuses(2, () => attempt(someAddress(), email))).toEqual([400, 429]);
    const address = someAddress();
    expect(await statuses(4, () => attempt(address, someEmail()))).toEqual([400, 400, 400, 429]);
  });

  test('hold no credit when a pending request returns its draw after they were cleared', async () => {
    const email = someEmail();
    const { rateLimiter } = api.deps;
    const draws = await Promise.all(
      Array.from({ length: 8 }, () => rateLimiter.draw('login-account', email)),
    );
    const allowed = draws.filter((draw) => draw !== null).filter(({ isAllowed }) => isAllowed);
    expect(allowed).toHaveLength(2);
    await rateLimiter.clear('login-account', email);
    await Promise.all(allowed.map((draw) => rateLimiter.release(draw)));
    const seen = await statuses(3, () =>
      logInFrom(api, someAddress(), { email, password: 'wrong' }),
    );
    expect(seen).toEqual([400, 400, 429]);
  });

  test('are removed by a job once their window is over, and not earlier', async () => {
    const now = api.clock.now().getTime();
    await api.db.insert(rateLimits).values([
      { key: 'test:ended', points: 1, expire: now - 1 },
      { key: 'test:running', points: 1, expire: now + 60_000 },
    ]);
    await enqueueJob(api.db, 'clean_up', {});
    const keys = async () => (await api.db.select().from(rateLimits)).map(({ key }) => key);
    await vi.waitFor(async () => expect(await keys()).not.toContain('test:ended'), {
      timeout: 10_000,
      interval: 20,
    });
    expect(await keys()).toContain('test:running');
    await api.db.delete(rateLimits).where(eq(rateLimits.key, 'test:running'));
  });
});

test('counts in the database wait for no disk, what a sign-in leaves does', async () => {
  const databaseUrl = await cloneDatabase();
  const owner = postgres(databaseUrl, { max: 1 });
  onTestFinished(() => owner.end());
  const name = new URL(databaseUrl).pathname.slice(1);
  // The cluster of the tests has it off.
  await owner`alter database ${owner(name)} set synchronous_commit = on`;
  await owner`create table commits (of text, waits text)`;
  await owner.unsafe(`
    create function note_commit() returns trigger language plpgsql security definer as $$ begin
      insert into public.commits values (tg_table_name, current_setting('synchronous_commit'));
      return null;
    end $$`);
  for (const table of ['rate_limits', 'sessions']) {
    // It fires as the last part of the transaction, after every statement.
    await owner`create constraint trigger note_commit after insert or update on ${owner(table)}
      initially deferred for each row execute function note_commit()`;
  }
  const api = await startTestApi(limited, { databaseUrl });
  onTestFinished(() => api.close());
  const { email, password } = await newUser(api);
  await owner`truncate commits`;
  const { status } = await logInFrom(api, someAddress(), { email, password });
  expect(status).toBe(200);
  expect(await owner`select distinct of, waits from commits order by of`).toEqual([
    { of: 'rate_limits', waits: 'off' },
    { of: 'sessions', waits: 'on' },
  ]);
});

describe('while the database is away', () => {
  let proxy: TcpProxy;
  let api: TestApi;
  beforeAll(async () => {
    const databaseUrl = new URL(await cloneDatabase());
    proxy = await startTcpProxy(Number(databaseUrl.port));
    databaseUrl.hostname = '127.0.0.1';
    databaseUrl.port = String(proxy.port);
    api = await startTestApi(
      { ...limited, JOBS: 'separate', RATE_LIMIT_DEFAULT_PER_CALLER: '3' },
      { databaseUrl: databaseUrl.href },
    );
  });
  afterAll(async () => {
    await api.close();
    await proxy.close();
  });

  test('passwords can’t be guessed: a login is a 503, and costs nothing afterwards', async () => {
    const verify = vi.spyOn(api.deps.passwords, 'verify');
    const email = someEmail();
    const address = someAddress();
    const attempt = () => logInFrom(api, address, { email, password: 'wrong' });
    proxy.cut();
    for (let times = 0; times < 3; times += 1) {
      const { status, body } = await attempt();
      expect([status, body.code]).toEqual([503, 'service_unavailable']);
    }
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();

    proxy.restore();
    const back = await vi.waitFor(
      async () => {
        const response = await attempt();
        expect(response.status).toBe(400);
        return response;
      },
      { timeout: 10_000, interval: 50 },
    );
    expect(back.headers.get('ratelimit')).toMatch(/"login-address";r=49;.*"login-account";r=9;/);
  });

  test('each instance counts other requests alone', async () => {
    const headers = { 'x-forwarded-for': someAddress() };
    proxy.cut();
    try {
      const seen = await statuses(4, () => anonymousCall(api, headers));
      // The operation itself needs the database; the fourth request is refused without a query.
      expect(seen).toEqual([503, 503, 503, 429]);
    } finally {
      proxy.restore();
    }
  });
});
