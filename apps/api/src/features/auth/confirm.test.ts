import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions, users } from '../../db/generated/schema.ts';
import { logIn, newUser, somePassword, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi({
  RATE_LIMIT_ENABLED: 'true',
  RATE_LIMIT_LOGIN_FAILURES_PER_ACCOUNT: '3',
});

const confirm = (as: Pick<TestUser, 'token'>, password: string) =>
  call(api, 'auth.confirm', { token: as.token, body: { password } });

async function confirmations(user: TestUser) {
  const rows = await api.db
    .select({ confirmedAt: sessions.confirmedAt, createdAt: sessions.createdAt })
    .from(sessions)
    .where(eq(sessions.userId, user.id));
  return rows.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

test('a sign-in with a password confirms its own session, a refresh none', async () => {
  const user = await newUser(api);
  api.clock.advance({ seconds: 5 });
  await logIn(api, user);
  api.clock.advance({ seconds: 5 });
  const body = { refreshToken: user.refreshToken };
  expect((await call(api, 'auth.refresh', { body })).status).toBe(200);
  const rows = await confirmations(user);
  expect(rows).toHaveLength(2);
  for (const { confirmedAt, createdAt } of rows) expect(confirmedAt).toEqual(createdAt);
});

test('a confirmation counts for the session that it came with', async () => {
  const user = await newUser(api);
  const other = await logIn(api, user);
  api.clock.advance({ seconds: 3600 });
  const refreshed = await call(api, 'auth.refresh', { body: { refreshToken: other.refreshToken } });
  const before = api.clock.now().getTime();
  const { status, body } = await confirm(refreshed.body.data, somePassword);
  expect([status, body.message]).toEqual([200, 'You have confirmed who you are']);
  expect(Date.parse(body.data.confirmedUntil) - before).toBeGreaterThanOrEqual(600_000);
  const [first, second] = await confirmations(user);
  expect(first?.confirmedAt).toEqual(first?.createdAt);
  expect(second?.confirmedAt?.getTime()).toBeGreaterThanOrEqual(before);
});

test('a wrong password confirms nothing, and counts with the failures of sign-ins', async () => {
  const user = await newUser(api);
  api.clock.advance({ seconds: 60 });
  const [before] = await confirmations(user);
  for (const password of ['wrong', somePassword.toUpperCase(), ' ']) {
    const { status, body } = await confirm(user, password);
    expect([status, body.code, body.message]).toEqual([
      400,
      'invalid_credentials',
      'The password is wrong',
    ]);
  }
  expect((await confirm(user, somePassword)).status).toBe(429);
  const credentials = { email: user.email, password: somePassword };
  expect((await call(api, 'auth.login', { body: credentials })).status).toBe(429);
  expect(await confirmations(user)).toEqual([before]);
});

test('an account without a password confirms with none', async () => {
  const user = await newUser(api);
  await api.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
  expect((await confirm(user, somePassword)).body.code).toBe('invalid_credentials');
  expect((await confirm(user, 'null')).body.code).toBe('invalid_credentials');
});
