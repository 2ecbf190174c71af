import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rateLimits } from '../../db/generated/schema.ts';
import { mailedTokenOf, newUser } from '../../testing/accounts.ts';
import { call, cloneDatabase, someEmail, startTestApi, type TestApi } from '../../testing/api.ts';
import {
  anonymousCall,
  from,
  limited,
  logInFrom,
  someAddress,
  statuses,
  tally,
} from '../../testing/rate-limits.ts';
import { findRedisServer, startRedisServer, type RedisServer } from '../../testing/redis-server.ts';

const executable = findRedisServer();
if (!executable) {
  process.stdout.write('Skipped: rate limits in Redis (this machine has no redis-server)\n');
}

describe.skipIf(!executable)('rate limits in Redis', () => {
  let redis: RedisServer;
  let databaseUrl: string;
  let api: TestApi;
  let other: TestApi;
  let unlimited: TestApi;
  beforeAll(async () => {
    redis = await startRedisServer(String(executable));
    databaseUrl = await cloneDatabase();
    const environment = { ...limited, REDIS_URL: redis.url, RATE_LIMIT_DEFAULT_PER_CALLER: '3' };
    [api, other, unlimited] = await Promise.all([
      startTestApi(environment, { databaseUrl }),
      startTestApi(environment, { databaseUrl }),
      startTestApi({}, { databaseUrl }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([api, other, unlimited].map((each) => each.close()));
    await redis.close();
  });

  const wrong = (email: string) => ({ email, password: 'not the password' });

  /** Runs commands in addition to the service's. */
  async function inRedis(work: (client: ReturnType<typeof newClient>) => Promise<void>) {
    const client = newClient();
    await client.connect();
    try {
      await work(client);
    } finally {
      client.destroy();
    }
  }

  function newClient() {
    return createClient({ url: redis.url });
  }

  test('are shared by two instances and do not use the database', async () => {
    const email = someEmail();
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        logInFrom(index % 2 ? api : other, someAddress(), wrong(email)),
      ),
    );
    expect(tally(responses.map(({ status }) => status))).toEqual({ 400: 10, 429: 90 });
    const { headers } = from(someAddress());
    const seen = await statuses(5, (index) => anonymousCall(index % 2 ? api : other, headers));
    expect(seen).toEqual([400, 400, 400, 429, 429]);
    expect(await api.db.select().from(rateLimits)).toEqual([]);
  });

  test('end when Redis lets the counter expire', async () => {
    const email = someEmail();
    const address = someAddress();
    const attempt = () => logInFrom(api, someAddress(), wrong(email));
    await inRedis(async (client) => {
      await client.flushAll();
      expect(await statuses(11, attempt)).toEqual([...Array(10).fill(400), 429]);
      const [key, ...more] = await client.keys('atelier:rate-limit:login-account:*');
      expect(more).toEqual([]);
      const timeLeftMs = await client.pTTL(String(key));
      expect(timeLeftMs).toBeGreaterThan(880_000);
      expect(timeLeftMs).toBeLessThanOrEqual(900_000);
      await client.pExpire(String(key), 0);
    });
    const next = await logInFrom(api, address, wrong(email));
    expect([next.status, next.headers.get('ratelimit')]).toEqual([
      400,
      '"login-address";r=49;t=900, "login-account";r=9;t=900',
    ]);
  });

  test('return a draw on success, and are cleared by a password reset', async () => {
    const user = await newUser(unlimited);
    const credentials = { email: user.email, password: user.password };
    const success = await logInFrom(api, someAddress(), credentials);
    expect(success.headers.get('ratelimit')).toContain('"login-account";r=10;');
    await statuses(10, () => logInFrom(api, someAddress(), wrong(user.email)));
    expect((await logInFrom(other, someAddress(), credentials)).status).toBe(429);
    await call(unlimited, 'auth.requestPasswordReset', { body: { email: user.email } });
    const token = await mailedTokenOf(user.email, 'How to reset your password');
    const password = 'a brand new password';
    await call(api, 'auth.resetPassword', { ...from(someAddress()), body: { token, password } });
    const back = await logInFrom(other, someAddress(), { email: user.email, password });
    expect(back.status).toBe(200);
  });

  test('are counted by each instance alone while Redis is unavailable, and shared again when it is back', async () => {
    await redis.kill();
    const email = someEmail();
    for (const instance of [api, other]) {
      const seen = await statuses(11, () => logInFrom(instance, someAddress(), wrong(email)));
      expect(seen).toEqual([...Array(10).fill(400), 429]);
    }
    await redis.start();
    await vi.waitFor(
      async () => {
        const probe = someEmail();
        await logInFrom(api, someAddress(), wrong(probe));
        const { headers } = await logInFrom(other, someAddress(), wrong(probe));
        expect(headers.get('ratelimit')).toContain('"login-account";r=8;');
      },
      { timeout: 10_000, interval: 50 },
    );
  });

  test('keep responding while Redis is silent', async () => {
    redis.freeze();
    try {
      const email = someEmail();
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => logInFrom(api, someAddress(), wrong(email))),
      );
      expect(tally(responses.map(({ status }) => status))).toEqual({ 400: 10, 429: 10 });
    } finally {
      redis.thaw();
    }
  });

  test('do not keep the service from starting without Redis', async () => {
    const environment = { ...limited, REDIS_URL: 'redis://127.0.0.1:1' };
    const alone = await startTestApi(environment, { databaseUrl });
    try {
      const seen = await statuses(11, () =>
        logInFrom(alone, someAddress(), wrong('x@example.com')),
      );
      expect(seen).toEqual([...Array(10).fill(400), 429]);
    } finally {
      await alone.close();
    }
  });
});
