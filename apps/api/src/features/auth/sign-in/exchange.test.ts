import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { exchangeCodes, refreshTokens, sessions, users } from '../../../db/generated/schema.ts';
import { lockAccountExclusively } from '../../../domain/authority/queries.ts';
import { call, send, someEmail } from '../../../testing/api.ts';
import { Browser } from '../../../testing/browser.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();

const exchange = (code: string) => call(api, 'auth.exchange', { body: { code } });

async function newCode(email = someEmail()): Promise<string> {
  const page = await new Browser(api).signIn('github', email);
  return page.searchParams.get('code') ?? '';
}

async function userIdOf(email: string): Promise<string> {
  const [user] = await api.db.select().from(users).where(eq(users.email, email));
  return user?.id ?? '';
}

const refused = [401, 'Invalid or expired code', 'invalid_or_expired_code'];

test('of 50 parallel exchanges one succeeds, and there is one session', async () => {
  const email = someEmail();
  const code = await newCode(email);
  const responses = await Promise.all(Array.from({ length: 50 }, () => exchange(code)));
  const failures = responses.filter(({ status }) => status !== 200);
  expect(failures.map(({ status, body }) => [status, body.message, body.code])).toEqual(
    Array.from({ length: 49 }, () => refused),
  );
  const userId = await userIdOf(email);
  expect(await api.db.$count(sessions, eq(sessions.userId, userId))).toBe(1);
  expect(await api.db.$count(refreshTokens, eq(refreshTokens.userId, userId))).toBe(1);
});

test('a used code is refused, and its session stays open', async () => {
  const code = await newCode();
  const { body } = await exchange(code);
  expect((await exchange(code)).status).toBe(401);
  expect((await call(api, 'auth.user', { token: body.data.token.accessToken })).status).toBe(200);
});

test("the pair has the lifetime of a login's", async () => {
  api.clock.stand();
  const { body } = await exchange(await newCode());
  const { accessToken, refreshToken } = body.data.token;
  api.clock.advance({ seconds: 14 * 60 + 58 });
  expect((await call(api, 'auth.user', { token: accessToken })).status).toBe(200);
  api.clock.advance({ seconds: 3 });
  expect((await call(api, 'auth.user', { token: accessToken })).status).toBe(401);
  const refreshed = await call(api, 'auth.refresh', { body: { refreshToken } });
  expect(refreshed.status).toBe(200);
});

test('a code of 59 seconds works, one of 60 does not', async () => {
  api.clock.stand();
  const first = await newCode();
  api.clock.advance({ seconds: 59 });
  expect((await exchange(first)).status).toBe(200);
  const second = await newCode();
  api.clock.advance({ seconds: 60 });
  const { status, body } = await exchange(second);
  expect([status, body.message, body.code]).toEqual(refused);
});

test('a tampered code is refused and keeps the real one valid', async () => {
  const code = await newCode();
  const last = code.endsWith('A') ? 'E' : 'A';
  for (const tampered of [
    code.slice(0, -1) + last,
    code.slice(0, -1),
    `${code}A`,
    `${code} `,
    code.toUpperCase(),
    code.split('').toReversed().join(''),
    "' or true --",
    'x'.repeat(1024),
  ]) {
    const { status, body } = await exchange(tampered);
    expect([status, body.message, body.code]).toEqual(refused);
  }
  expect((await exchange(code)).status).toBe(200);
});

test.each([
  ['no code', {}],
  ['an empty code', { code: '' }],
  ['a number', { code: 5 }],
  ['a list', { code: ['x'] }],
  ['a code beyond measure', { code: 'x'.repeat(1025) }],
])('%s is not valid', async (_, body) => {
  const response = await call(api, 'auth.exchange', { body });
  expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
});

test('a GET exchanges nothing', async () => {
  const code = await newCode();
  expect((await send(api, `/api/auth/oauth/exchange?code=${code}`)).status).toBe(405);
  expect((await exchange(code)).status).toBe(200);
});

test('a concurrently suspended account gets no session, and its code is consumed', async () => {
  const email = someEmail();
  const code = await newCode(email);
  const userId = await userIdOf(email);
  const statusTo = (status: string) =>
    api.db.execute(sql`update users set account_status = ${status} where id = ${userId}`);
  await statusTo('SUSPENDED');
  const { status, body } = await exchange(code);
  expect([status, body.message, body.code, body.data]).toEqual([...refused, undefined]);
  expect(await api.db.$count(sessions, eq(sessions.userId, userId))).toBe(0);
  await statusTo('VERIFIED');
  expect((await exchange(code)).status).toBe(401);
});

test('an exchange waits for the lock of the account', async () => {
  const email = someEmail();
  const code = await newCode(email);
  const userId = await userIdOf(email);
  let responded = false;
  const pending = await api.db.transaction(async (tx) => {
    await lockAccountExclusively(tx, userId);
    const response = exchange(code).finally(() => (responded = true));
    await vi.waitFor(async () => {
      const waiting = await api.db.execute(
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    }, 10_000);
    expect(responded).toBe(false);
    await tx.execute(sql`update users set account_status = 'SUSPENDED' where id = ${userId}`);
    return { response };
  });
  expect((await pending.response).status).toBe(401);
});

test('expired codes are removed', async () => {
  const email = someEmail();
  await newCode(email);
  api.clock.advance({ seconds: 61 });
  await newCode();
  const userId = await userIdOf(email);
  expect(await api.db.$count(exchangeCodes, eq(exchangeCodes.userId, userId))).toBe(0);
});
