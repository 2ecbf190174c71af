import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions, users } from '../../db/generated/schema.ts';
import { lockAccountExclusively } from '../../domain/authority/queries.ts';
import { newUser, somePassword, type TestUser } from '../../testing/accounts.ts';
import { call, someEmail, type TestResponse } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { addPasskey, signedForSignIn, signInWithPasskey } from '../../testing/passkeys.ts';
import { enrol, nextTotp } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

/** How the session of a response was opened, as its own list says. */
async function signInOf({ status, body }: TestResponse): Promise<unknown> {
  expect([status, body.code]).toEqual([200, undefined]);
  return currentOf(body.data.token.accessToken);
}

async function currentOf(token: string): Promise<unknown> {
  const { body } = await call(api, 'sessions.list', { token });
  return body.data.items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).signIn;
}

const logIn = ({ email }: Pick<TestUser, 'email'>, secondFactor?: object) =>
  call(api, 'auth.login', {
    body: { email, password: somePassword, ...(secondFactor && { secondFactor }) },
  });

async function codeFor(email: string): Promise<string | null> {
  const page = await new Browser(api).signIn('github', email);
  return page.searchParams.get('code');
}

test('each way to sign in is recorded with its session', async () => {
  const ada = await newUser(api);
  expect(await currentOf(ada.token)).toEqual({ method: 'password', secondFactor: null });
  // An account without a factor is asked for none.
  expect(await signInOf(await logIn(ada, { kind: 'totp', code: '000000' }))).toEqual({
    method: 'password',
    secondFactor: null,
  });

  const { secret, recoveryCodes } = await enrol(api, ada);
  const recovery = (n: number) => ({ kind: 'recovery', code: recoveryCodes[n] });
  expect(await signInOf(await logIn(ada, nextTotp(secret, api)))).toEqual({
    method: 'password',
    secondFactor: 'totp',
  });
  const second = await logIn(ada, recovery(0));
  expect(await signInOf(second)).toEqual({ method: 'password', secondFactor: 'recovery' });

  const { device } = await addPasskey(api, { token: second.body.data.token.accessToken });
  const response = await signedForSignIn(api, device);
  expect(await signInOf(await logIn(ada, { kind: 'passkey', response }))).toEqual({
    method: 'password',
    secondFactor: 'passkey',
  });
  expect(await signInOf(await signInWithPasskey(api, device))).toEqual({
    method: 'passkey',
    secondFactor: null,
  });

  const code = await codeFor(ada.email);
  expect((await call(api, 'auth.exchange', { body: { code } })).status).toBe(400);
  const body = { code, secondFactor: recovery(1) };
  expect(await signInOf(await call(api, 'auth.exchangeWithSecondFactor', { body }))).toEqual({
    method: 'provider',
    secondFactor: 'recovery',
  });
});

test('a new account of a provider has a session of it', async () => {
  const body = { code: await codeFor(someEmail()) };
  expect(await signInOf(await call(api, 'auth.exchange', { body }))).toEqual({
    method: 'provider',
    secondFactor: null,
  });
});

test('a refresh keeps it, and a session from before has none', async () => {
  const ada = await newUser(api);
  const { secret } = await enrol(api, ada);
  const { body } = await logIn(ada, nextTotp(secret, api));
  const { refreshToken } = body.data.token;
  const rotated = await call(api, 'auth.refresh', { body: { refreshToken } });
  expect(await currentOf(rotated.body.data.token)).toEqual({
    method: 'password',
    secondFactor: 'totp',
  });

  const grace = await newUser(api);
  await api.db
    .update(sessions)
    .set({ signInMethod: null, secondFactor: null })
    .where(eq(sessions.userId, grace.id));
  expect(await currentOf(grace.token)).toBeNull();
});

test('a factor that is turned off during the sign-in is not recorded', async () => {
  const ada = await newUser(api);
  const { secret } = await enrol(api, ada);
  const presented = nextTotp(secret, api);
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const turnedOff = api.db.transaction(async (tx) => {
    await lockAccountExclusively(tx, ada.id);
    await tx.update(users).set({ hasSecondFactor: false }).where(eq(users.id, ada.id));
    locked();
    await mayCommit;
  });
  await isLocked;
  const signedIn = logIn(ada, presented);
  await expect
    .poll(async () => {
      const [waiting] = await api.db.execute<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting?.count;
    })
    .toBe(1);
  commit();
  await turnedOff;
  expect(await signInOf(await signedIn)).toEqual({ method: 'password', secondFactor: null });
});
