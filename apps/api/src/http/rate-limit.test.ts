// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { rateLimits, users } from '../db/generated/schema.ts';
import { newUser, nextMail, somePassword, tokenIn, type TestUser } from '../testing/accounts.ts';
import { call, cloneDatabase, send, someEmail, type TestApi } from '../testing/api.ts';
import {
  from,
  limited,
  logInFrom,
  movableTime,
  someAddress,
  statuses,
  tally,
} from '../testing/rate-limits.ts';
import { setUpApi } from '../testing/set-up.ts';

/** Two instances on one database, and one without limits. */
const time = movableTime();
const databaseUrl = await cloneDatabase();
afterAll(() => time.restore());
const [api, other, unlimited] = await Promise.all([
  setUpApi(limited, { databaseUrl }),
  setUpApi(limited, { databaseUrl }),
  setUpApi({}, { databaseUrl }),
]);

const wrong = (email: string) => ({ email, password: 'not the password' });
/** Failed sign-ins, each from its own address. */
const failures = (times: number, email: string) =>
  statuses(times, () => logInFrom(api, someAddress(), wrong(email)));
const right = ({ email, password }: TestUser) => ({ email, password });

describe('failed logins of an account', () => {
  test('get ten responses; the eleventh request is refused, even with the right password', async () => {
    const user = await newUser(unlimited);
    const verify = vi.spyOn(api.deps.passwords, 'verify');
    expect(await failures(10, user.email)).toEqual(Array(10).fill(400));

    const refused = await logInFrom(api, someAddress(), right(user));
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        message: 'Too many requests; try again later',
        code: 'rate_limited',
        requestId: refused.headers.get('x-request-id'),
      },
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(880);
    expect(verify).toHaveBeenCalledTimes(10);
    verify.mockRestore();
  });

  test('are refused in the same way if the account does not exist', async () => {
    const email = someEmail('nobody');
    expect(await failures(11, email)).toEqual([...Array(10).fill(400), 429]);
  });

  test('count for the email in any spelling, and for no other', async () => {
    const user = await newUser(unlimited);
    const spellings = [user.email, user.email.toUpperCase(), ` ${user.email} `];
    const seen = await statuses(10, (index) =>
      logInFrom(api, someAddress(), wrong(String(spellings[index % 3]))),
    );
    expect(seen).toEqual(Array(10).fill(400));
    expect(await failures(1, user.email)).toEqual([429]);
    expect(await failures(1, someEmail())).toEqual([400]);
  });

  test('expire after 15 minutes, not a second earlier', async () => {
    const user = await newUser(unlimited);
    await failures(10, user.email);
    const retryAfter = async () => {
      const { status, headers } = await logInFrom(api, someAddress(), right(user));
      expect(status).toBe(429);
      return Number(headers.get('retry-after'));
    };
    // The failures themselves take seconds on a busy machine.
    const left = await retryAfter();
    expect(left).toBeGreaterThan(14 * 60);
    expect(left).toBeLessThanOrEqual(15 * 60);
    time.pass({ seconds: left - 5 });
    const seconds = await retryAfter();
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(5);
    time.pass({ seconds });
    expect((await logInFrom(api, someAddress(), right(user))).status).toBe(200);
  });

  test('count for 15 minutes at most, also when a clock is set back', async () => {
    const user = await newUser(unlimited);
    await failures(10, user.email);
    time.pass({ seconds: -60 * 60 });
    try {
      expect(await failures(10, user.email)).toEqual(Array(10).fill(400));
      const { status, headers } = await logInFrom(api, someAddress(), right(user));
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
    } finally {
      time.pass({ seconds: 60 * 60 });
    }
  });

  test('are not reset by a success, which costs nothing itself', async () => {
    const user = await newUser(unlimited);
    await failures(9, user.email);
    for (let times = 0; times < 3; times += 1) {
      expect((await logInFrom(api, someAddress(), right(user))).status).toBe(200);
    }
    expect(await failures(1, user.email)).toEqual([400]);
    expect((await logInFrom(api, someAddress(), right(user))).status).toBe(429);
  });

  test('are none of a new password that is refused', async () => {
    const user = await newUser(unlimited);
    const change = (currentPassword: string, newPassword: string) =>
      call(api, 'security.changePassword', {
        ...from(someAddress()),
        token: user.token,
        body: { currentPassword, newPassword },
      });
    expect(await statuses(11, () => change(user.password, 'password'))).toEqual(
      Array(11).fill(400),
    );
    const wrong = await statuses(11, () => change('wrong', 'another horse battery'));
    expect(wrong).toEqual([...Array(10).fill(400), 429]);
  });

  test('are reset on every instance by a password reset', async () => {
    const user = await newUser(unlimited);
    await failures(10, user.email);
    expect((await logInFrom(other, someAddress(), right(user))).status).toBe(429);

    const body = { email: user.email };
    await call(api, 'auth.requestPasswordReset', { ...from(someAddress()), body });
    const token = tokenIn(await nextMail(user.email, 2));
    const password = 'a brand new password';
    const reset = await call(api, 'auth.resetPassword', { body: { token, password } });
    expect(reset.status).toBe(200);
    for (const instance of [api, other]) {
      const response = await logInFrom(instance, someAddress(), { email: user.email, password });
      expect(response.status).toBe(200);
    }
  });

  test('of 100 parallel ones on two instances, ten reach the password check', async () => {
    const user = await newUser(unlimited);
    const checks = [api, other].map(({ deps }) => vi.spyOn(deps.passwords, 'verify'));
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        logInFrom(index % 2 ? api : other, someAddress(), wrong(user.email)),
      ),
    );
    expect(tally(responses.map(({ status }) => status))).toEqual({ 400: 10, 429: 90 });
    expect(checks.map((check) => check.mock.calls.length).reduce((a, b) => a + b)).toBe(10);
    for (const check of checks) check.mockRestore();
  });

  test('100 parallel logins with the right password draw nothing', async () => {
    const user = await newUser(unlimited);
    const address = someAddress();
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => logInFrom(api, address, right(user))),
    );
    const seen = tally(responses.map(({ status }) => status));
    expect(seen[200]).toBeGreaterThanOrEqual(10);
    expect((seen[200] ?? 0) + (seen[429] ?? 0)).toBe(100);
    const next = await logInFrom(api, address, right(user));
    expect(next.status).toBe(200);
    expect(next.headers.get('ratelimit')).toMatch(/^"login-address";r=50;.*"login-account";r=10;/);
  });
});

describe('failed logins of an address', () => {
  test('get fifty responses, whatever the accounts, and a success does not reset them', async () => {
    const user = await newUser(unlimited);
    const address = someAddress();
    const attempt = () => logInFrom(api, address, wrong(someEmail()));
    expect(await statuses(49, attempt)).toEqual(Array(49).fill(400));
    expect((await logInFrom(api, address, right(user))).status).toBe(200);
    expect(await statuses(2, attempt)).toEqual([400, 429]);
    expect((await logInFrom(other, address, right(user))).status).toBe(429);
    expect((await logInFrom(api, someAddress(), right(user))).status).toBe(200);
  });

  test('do not include requests refused for the account', async () => {
    const address = someAddress();
    const email = someEmail();
    const seen = await statuses(40, () => logInFrom(api, address, wrong(email)));
    expect(tally(seen)).toEqual({ 400: 10, 429: 30 });
    const others = await statuses(41, () => logInFrom(api, address, wrong(someEmail())));
    expect(others).toEqual([...Array(40).fill(400), 429]);
  });

  test('once exhausted, no longer draw from accounts', async () => {
    const user = await newUser(unlimited);
    const address = someAddress();
    await statuses(50, () => logInFrom(api, address, wrong(someEmail())));
    const seen = await statuses(20, () => logInFrom(api, address, wrong(user.email)));
    expect(seen).toEqual(Array(20).fill(429));
    const response = await logInFrom(api, someAddress(), right(user));
    expect([response.status, response.headers.get('ratelimit')]).toEqual([
      200,
      '"login-address";r=50;t=900, "login-account";r=10;t=900',
    ]);
  });

  test('do not include bodies that violate the contract', async () => {
    const address = someAddress();
    const seen = await statuses(60, () =>
      call(api, 'auth.login', { ...from(address), body: { email: '' } }),
    );
    expect(seen).toEqual(Array(60).fill(400));
    expect((await logInFrom(api, address, wrong(someEmail()))).headers.get('ratelimit')).toContain(
      '"login-address";r=49;',
    );
  });
});

test('requests of another email are possible five times an hour for an account, and for a mailbox', async () => {
  const [ada, bob] = [await newUser(unlimited), await newUser(unlimited)];
  const ask = ({ token }: TestUser, newEmail: string) =>
    call(api, 'account.requestEmailChange', { token, ...from(someAddress()), body: { newEmail } });
  const fiveThenRefused = [...Array(5).fill(200), 429];
  const target = someEmail();
  expect(await statuses(6, () => ask(ada, target))).toEqual(fiveThenRefused);
  expect((await ask(ada, someEmail())).status).toBe(429);
  expect((await ask(bob, target)).status).toBe(429);
  expect(await statuses(6, () => ask(bob, someEmail()))).toEqual(fiveThenRefused);
});

describe.each([
  ['auth.register', 'register', 201, { password: somePassword }],
  ['auth.requestPasswordReset', 'password-reset', 200, {}],
] as const)('%s', (id, name, status, rest) => {
  const request = (instance: TestApi, address: string, email: string) =>
    call(instance, id, { ...from(address), body: { email, ...rest } });
  const fiveThenRefused = [...Array(5).fill(status), 429];

  test('is possible five times an hour per email, on all instances together', async () => {
    const email = someEmail();
    const seen = await statuses(6, (index) =>
      request(index % 2 ? other : api, someAddress(), index % 2 ? email : email.toUpperCase()),
    );
    expect(seen).toEqual(fiveThenRefused);
    expect((await request(api, someAddress(), someEmail())).status).toBe(status);
    const retryAfter = async () => {
      const refused = await request(api, someAddress(), email);
      expect(refused.status).toBe(429);
      return Number(refused.headers.get('retry-after'));
    };
    // The requests themselves take seconds on a busy machine.
    const left = await retryAfter();
    expect(left).toBeGreaterThan(59 * 60);
    expect(left).toBeLessThanOrEqual(60 * 60);
    time.pass({ seconds: left - 5 });
    time.pass({ seconds: await retryAfter() });
    expect((await request(api, someAddress(), email)).status).toBe(status);
  });

  test('is possible five times an hour per address, and nothing of the sixth is stored', async () => {
    const address = someAddress();
    const email = someEmail('sixth');
    expect(await statuses(5, () => request(api, address, someEmail()))).toEqual(
      Array(5).fill(status),
    );
    const refused = await request(other, address, email);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(await api.db.select().from(users).where(eq(users.email, email))).toEqual([]);
    const jobs = await api.db.execute(
      sql`select 1 from graphile_worker._private_jobs where payload::text like ${`%${email}%`}`,
    );
    expect(jobs).toHaveLength(0);
    expect((await request(api, someAddress(), email)).status).toBe(status);
  });

  test('allows five of 50 parallel requests', async () => {
    const address = someAddress();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        request(index % 2 ? other : api, address, someEmail()),
      ),
    );
    expect(tally(responses.map((response) => response.status))).toEqual({ [status]: 5, 429: 45 });
  });

  test('has the headers of both quotas', async () => {
    const { headers } = await request(api, someAddress(), someEmail());
    expect(headers.get('ratelimit-policy')).toBe(
      `"${name}-address";q=5;w=3600, "${name}-mailbox";q=5;w=3600`,
    );
    expect(headers.get('ratelimit')).toBe(
      `"${name}-address";r=4;t=3600, "${name}-mailbox";r=4;t=3600`,
    );
  });
});

test('a refused registration costs nothing', async () => {
  const address = someAddress();
  const email = someEmail();
  const register = (password: string) =>
    call(api, 'auth.register', { ...from(address), body: { email, password } });
  expect(await statuses(10, () => register('password1'))).toEqual(Array(10).fill(400));
  const response = await register(somePassword);
  expect([response.status, response.headers.get('ratelimit')]).toEqual([
    201,
    expect.stringMatching(/^"register-address";r=4;.*"register-mailbox";r=4;/),
  ]);
});

test('refreshing is limited to 150 per 5 minutes and address, before a body is read', async () => {
  const address = someAddress();
  const refresh = (instance: TestApi, caller: string, body = '{"refreshToken":"unknown"}') =>
    send(instance, '/api/auth/refresh-token', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': caller },
      body,
    });
  const seen = await statuses(150, (index) => refresh(index % 2 ? api : other, address));
  expect(seen).toEqual(Array(150).fill(401));
  const refused = await refresh(api, address, '{"broken');
  expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([
    429,
    '"refresh-address";q=150;w=300',
  ]);
  expect((await refresh(api, someAddress())).status).toBe(401);
  time.pass({ seconds: 5 * 60 });
  expect((await refresh(api, address)).status).toBe(401);
});

describe('the header fields', () => {
  test('of a login have both policies and what is left; of a refusal, nothing', async () => {
    const user = await newUser(unlimited);
    const address = someAddress();
    const failed = await logInFrom(api, address, wrong(user.email));
    expect(failed.headers.get('ratelimit-policy')).toBe(
      '"login-address";q=50;w=900, "login-account";q=10;w=900',
    );
    expect(failed.headers.get('ratelimit')).toBe(
      '"login-address";r=49;t=900, "login-account";r=9;t=900',
    );
    expect(failed.headers.get('retry-after')).toBeNull();
    await failures(9, user.email);
    const refused = await logInFrom(api, address, right(user));
    expect(refused.headers.get('ratelimit')).toMatch(
      /^"login-address";r=49;t=\d+, "login-account";r=0;t=\d+$/,
    );
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  test('are readable for pages of other origins', async () => {
    const response = await call(api, 'auth.login', {
      headers: { origin: 'https://app.example.com', ...from(someAddress()).headers },
      body: wrong(someEmail()),
    });
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']),
    );
  });

  test('are absent without a limit', async () => {
    for (const { headers } of [
      await call(api, 'health.live'),
      await call(api, 'auth.logout', { body: {} }),
      await logInFrom(unlimited, someAddress(), wrong(someEmail())),
      await call(unlimited, 'auth.user'),
    ]) {
      expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
    }
  });
});

test('RATE_LIMIT_ENABLED=false lifts every limit and stores nothing', async () => {
  const count = async () => (await unlimited.db.select().from(rateLimits)).length;
  const before = await count();
  const address = someAddress();
  const email = someEmail();
  const seen = await statuses(12, () => logInFrom(unlimited, address, wrong(email)));
  expect(seen).toEqual(Array(12).fill(400));
  expect(await count()).toBe(before);
});

test('no email and no address is stored, only a keyed hash', async () => {
  const email = someEmail('secret');
  const address = someAddress();
  await logInFrom(api, address, wrong(email));
  const rows = await api.db.select().from(rateLimits);
  expect(rows.length).toBeGreaterThan(1);
  for (const { key } of rows) expect(key).toMatch(/^[a-z-]+:[\w-]{43}$/);
  expect(JSON.stringify(rows)).not.toContain(email);
  expect(JSON.stringify(rows)).not.toContain(address);
});
