// @module-tag slow

import { afterAll, describe, expect, test } from 'vitest';
import { rateLimits } from '../db/generated/schema.ts';
import { logIn, newUser } from '../testing/accounts.ts';
import { call, cloneDatabase, send, startTestApi, type TestApi } from '../testing/api.ts';
import {
  anonymousCall,
  from,
  limited,
  movableTime,
  someAddress,
  statuses,
  tally,
} from '../testing/rate-limits.ts';
import { setUpApi } from '../testing/set-up.ts';
import { newProject, newTask } from '../testing/work.ts';

const time = movableTime();
afterAll(() => time.restore());
const databaseUrl = await cloneDatabase();
const strictly = { ...limited, RATE_LIMIT_DEFAULT_PER_CALLER: '3' };
/**
 * Two instances with the limits of the specification, one without limits, and two of the same service that allow
 * three requests.
 */
const [api, other, unlimited, strict, otherStrict] = await Promise.all([
  setUpApi(limited, { databaseUrl }),
  setUpApi(limited, { databaseUrl }),
  setUpApi({}, { databaseUrl }),
  setUpApi(strictly, { databaseUrl }),
  setUpApi(strictly, { databaseUrl }),
]);

const whoAmI = (instance: TestApi, token: string) => call(instance, 'auth.user', { token });

/** Sends `calls` requests, 50 at a time. */
async function burst(calls: number, make: (index: number) => Promise<{ status: number }>) {
  const seen: number[] = [];
  for (let done = 0; done < calls; done += 50) {
    const responses = await Promise.all(
      Array.from({ length: Math.min(50, calls - done) }, (_, index) => make(done + index)),
    );
    seen.push(...responses.map(({ status }) => status));
  }
  return tally(seen);
}

describe('requests of a user', () => {
  test('get 600 responses a minute, over all sessions, and do not affect other users', async () => {
    const user = await newUser(unlimited);
    const neighbour = await newUser(unlimited);
    const second = await logIn(unlimited, user);
    const first = await whoAmI(api, user.token);
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=600;w=60');
    expect(first.headers.get('ratelimit')).toBe('"default";r=599;t=60');
    const seen = await burst(599, (index) => whoAmI(api, index % 2 ? user.token : second.token));
    expect(seen).toEqual({ 200: 599 });

    const refused = await whoAmI(api, user.token);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    expect((await whoAmI(api, neighbour.token)).status).toBe(200);
    time.pass({ seconds: Number(refused.headers.get('retry-after')) });
    const next = await whoAmI(api, user.token);
    expect([next.status, next.headers.get('ratelimit')]).toEqual([200, '"default";r=599;t=60']);
  });

  test('in a burst of 700 get exactly 600 responses from one instance', async () => {
    const user = await newUser(unlimited);
    expect(await burst(700, () => whoAmI(api, user.token))).toEqual({ 200: 600, 429: 100 });
  });

  test('on two instances get 600 responses, and less than a slice of 30 more', async () => {
    const user = await newUser(unlimited);
    const seen = await burst(800, (index) => whoAmI(index % 2 ? api : other, user.token));
    expect(seen[200]).toBeGreaterThanOrEqual(600);
    expect(seen[200]).toBeLessThan(630);
  });

  test('cost the shared counter one statement in 30', async () => {
    const user = await newUser(unlimited);
    const stored = async () =>
      (await api.db.select().from(rateLimits)).reduce((sum, { points }) => sum + points, 0);
    const before = await stored();
    await statuses(29, () => whoAmI(api, user.token));
    expect(await stored()).toBe(before);
    await whoAmI(api, user.token);
    expect(await stored()).toBe(before + 30);
  });

  test('are refused before the body is received', async () => {
    const user = await newUser(unlimited);
    const { token } = user;
    await burst(600, () => whoAmI(api, token));
    const response = await send(api, '/api/collections/create', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"broken',
    });
    expect([response.status, response.body.code]).toEqual([429, 'rate_limited']);
  });
});

describe('requests of a session that has ended, and that the service knows', () => {
  /** A user with another session, and how they comment in the one that `signOut` ends. */
  async function commenter() {
    const user = await newUser(unlimited);
    const second = await logIn(unlimited, user);
    const { token, refreshToken, organizationId } = user;
    const projectId = await newProject(unlimited, user);
    const { id: taskId } = await newTask(unlimited, user, { projectId, organizationId });
    const asked = { token, organizationId, params: { taskId }, body: { body: 'Hello' } };
    return {
      second,
      post: (address: string) => call(strict, 'comments.create', { ...asked, ...from(address) }),
      signOut: async () => {
        const { status } = await call(unlimited, 'auth.logout', { body: { refreshToken } });
        expect(status).toBe(200);
      },
    };
  }

  test('count for their address, and the first one once for the account', async () => {
    const { second, post, signOut } = await commenter();
    const address = someAddress();
    expect((await post(someAddress())).status).toBe(201);
    await signOut();
    expect((await post(address)).status).toBe(401);
    const ofAddress = await anonymousCall(strict, from(address).headers);
    expect(ofAddress.headers.get('ratelimit')).toMatch(/^"default";r=1;/);
    const ofAccount = await whoAmI(strict, second.token);
    expect(ofAccount.headers.get('ratelimit')).toMatch(/^"default";r=0;/);
  });

  test('are refused as such also when the account has used up its limit', async () => {
    const { post, signOut } = await commenter();
    expect(await statuses(3, () => post(someAddress()))).toEqual([201, 201, 201]);
    await signOut();
    expect((await post(someAddress())).status).toBe(401);
  });
});

describe('anonymous requests', () => {
  test('a small limit is exact over two instances, and ends with the window', async () => {
    const { headers } = from(someAddress());
    const seen = await statuses(5, (index) =>
      anonymousCall(index % 2 ? strict : otherStrict, headers),
    );
    expect(seen).toEqual([400, 400, 400, 429, 429]);
    time.pass({ seconds: 55 });
    expect((await anonymousCall(strict, headers)).status).toBe(429);
    time.pass({ seconds: 5 });
    expect(await statuses(4, () => anonymousCall(otherStrict, headers))).toEqual([
      400, 400, 400, 429,
    ]);
  });

  test('are counted for a minute at most, also when a clock is set back', async () => {
    const { headers } = from(someAddress());
    const send = () => anonymousCall(strict, headers);
    expect(await statuses(4, send)).toEqual([400, 400, 400, 429]);
    time.pass({ seconds: -60 * 60 });
    try {
      expect(await statuses(3, send)).toEqual([400, 400, 400]);
      const refused = await send();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    } finally {
      time.pass({ seconds: 60 * 60 });
    }
  });

  test('with a bad token count for the address, and block no user behind it', async () => {
    const user = await newUser(unlimited);
    const { headers } = from(someAddress());
    const tokens = ['forged', undefined, user.refreshToken, 'forged', undefined];
    const seen = await statuses(5, (index) =>
      call(strict, 'auth.user', { token: tokens[index], headers }),
    );
    expect(seen).toEqual([401, 401, 401, 429, 429]);
    expect((await call(strict, 'auth.user', { token: user.token, headers })).status).toBe(200);
  });
});

describe('the client address', () => {
  /** Checks whether a request with these headers finds the three requests of the address used up. */
  async function isCountedAs(address: string, forwardedFor: string): Promise<boolean> {
    await statuses(3, () => anonymousCall(strict, { 'x-forwarded-for': address }));
    const { status } = await anonymousCall(strict, { 'x-forwarded-for': forwardedFor });
    return status === 429;
  }

  test('is the one that the trusted proxy appended, whatever the client wrote before it', async () => {
    const address = someAddress();
    expect(await isCountedAs(address, `${someAddress()}, ${someAddress()}, ${address}`)).toBe(true);
    expect(await isCountedAs(address, `unknown, ${address}`)).toBe(true);
    expect(await isCountedAs(address, `${address}, ${someAddress()}`)).toBe(false);
    expect(await isCountedAs(address, someAddress())).toBe(false);
  });

  test('passes several trusted proxies and stops at the first that is not one', async () => {
    const behind = await startTestApi(
      {
        ...limited,
        RATE_LIMIT_DEFAULT_PER_CALLER: '3',
        TRUSTED_PROXIES: '127.0.0.1, 172.16.0.0/12',
      },
      { databaseUrl },
    );
    try {
      const address = someAddress();
      const seen = await statuses(4, (index) =>
        anonymousCall(behind, {
          'x-forwarded-for': `${someAddress()}, ${address}, 172.16.0.${index}`,
        }),
      );
      expect(seen).toEqual([400, 400, 400, 429]);
    } finally {
      await behind.close();
    }
  });

  test.each([
    ['no proxy is configured', ''],
    ['another proxy is configured', '10.0.0.1'],
  ])('is the socket’s when %s, whatever the client claims', async (_, TRUSTED_PROXIES) => {
    const direct = await startTestApi(
      { ...limited, RATE_LIMIT_DEFAULT_PER_CALLER: '3', TRUSTED_PROXIES },
      { databaseUrl: await cloneDatabase() },
    );
    try {
      const seen = await statuses(4, () =>
        anonymousCall(direct, { 'x-forwarded-for': someAddress(), forwarded: 'for=192.0.2.1' }),
      );
      expect(seen).toEqual([400, 400, 400, 429]);
    } finally {
      await direct.close();
    }
  });

  test.each([
    ['192.0.2.7', '::ffff:192.0.2.7'],
    ['192.0.2.8', '::ffff:c000:208'],
    ['192.0.2.9', '0:0:0:0:0:FFFF:192.0.2.9'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:3::1', '2001:0DB8:0001:0003:0::'],
    ['fe80::1', 'fe80::2%eth0'],
  ])('%s counts together with %s', async (address, same) => {
    expect(await isCountedAs(address, same)).toBe(true);
  });

  test.each([
    ['192.0.2.70', '::ffff:192.0.2.71'],
    ['2001:db8:2:2::1', '2001:db8:2:3::1'],
    ['2001:db8:2:4::1', '2001:db8:3:4::1'],
  ])('%s counts separately from %s', async (address, different) => {
    expect(await isCountedAs(address, different)).toBe(false);
  });

  test('that is invalid counts for the proxy that forwarded it, so that inventing more is useless', async () => {
    const inventions = ['unknown', '_hidden', '999.1.1.1', '[::1]:80', 'x'.repeat(4000), '1.2.3'];
    const seen = await statuses(inventions.length, (index) =>
      anonymousCall(strict, { 'x-forwarded-for': String(inventions[index]) }),
    );
    expect(seen).toEqual([400, 400, 400, 429, 429, 429]);
    expect((await anonymousCall(strict, from(someAddress()).headers)).status).toBe(400);
  });

  test('of a proxy on an IPv4-mapped socket is trusted by its IPv4 address', async () => {
    const url = '/api/auth/verify-token?token=x';
    const inject = (forwardedFor: string) =>
      strict.app.inject({
        url,
        remoteAddress: '::ffff:127.0.0.1',
        headers: { 'x-forwarded-for': forwardedFor },
      });
    const address = someAddress();
    const seen: number[] = [];
    for (let times = 0; times < 4; times += 1) seen.push((await inject(address)).statusCode);
    expect(seen).toEqual([400, 400, 400, 429]);
    expect((await inject(someAddress())).statusCode).toBe(400);
  });
});
