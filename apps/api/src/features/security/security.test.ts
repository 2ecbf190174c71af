import { operations } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { identities, mailedTokens, users } from '../../db/generated/schema.ts';
import { base32Of } from '../../domain/second-factor/totp.ts';
import { totpSecrets } from '../../domain/second-factor/totp-secrets.ts';
import { verifyDatabase } from '../../domain/verify/verify.ts';
import {
  logIn,
  mailOf,
  mailsTo,
  newUser,
  nextMail,
  somePassword,
  tokenIn,
  type TestUser,
} from '../../testing/accounts.ts';
import { call, startTestApi } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { databaseText } from '../../testing/database-text.ts';
import { openStream } from '../../testing/event-streams.ts';
import { untilIdle } from '../../testing/library.ts';
import { codeOf, enrol, nextTotp, secretIn, wrongTotp } from '../../testing/second-factors.ts';
import { addPasskey } from '../../testing/passkeys.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { keepTotpSecrets } from '../../jobs/second-factors/keep.ts';

const api = await setUpApi();

const newPassword = 'another horse battery';

const change = ({ token }: Pick<TestUser, 'token'>, body: object = {}) =>
  call(api, 'security.changePassword', {
    token,
    body: { currentPassword: somePassword, newPassword, ...body },
  });
const signIn = ({ email }: Pick<TestUser, 'email'>, password: string, secondFactor?: object) =>
  call(api, 'auth.login', { body: { email, password, ...(secondFactor && { secondFactor }) } });
const statusOf = async ({ token }: Pick<TestUser, 'token'>) =>
  (await call(api, 'auth.user', { token })).status;

describe('a change of the password', () => {
  test('keeps its session, ends the others at once, and voids mailed resets', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    // What streams look for from time to time, this one never does.
    api.clock.stand();
    const stream = await openStream(api, { token: other.token });
    await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
    const token = tokenIn(await nextMail(user.email, 2));

    const { status, body } = await change(user);
    expect([status, body]).toEqual([
      200,
      { message: 'Your password is changed', data: { endedCount: 1 } },
    ]);
    expect([await statusOf(user), await statusOf(other)]).toEqual([200, 401]);
    const refresh = { refreshToken: other.refreshToken };
    expect((await call(api, 'auth.refresh', { body: refresh })).status).toBe(401);
    // The ended device's refresh is no replay.
    expect(await statusOf(user)).toBe(200);
    expect(await stream.closed()).toBe('session_ended');
    const reset = { token, password: 'yet another horse' };
    expect((await call(api, 'auth.resetPassword', { body: reset })).status).toBe(400);
    expect(await api.db.$count(mailedTokens, eq(mailedTokens.userId, user.id))).toBe(0);
    expect((await signIn(user, somePassword)).status).toBe(400);
    expect((await signIn(user, newPassword)).status).toBe(200);
    await mailOf(user.email, 'Your password was changed');
  });

  test('leaves the other sessions where it is to', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    expect((await change(user, { endOtherSessions: false })).body.data).toEqual({ endedCount: 0 });
    expect(await statusOf(other)).toBe(200);
  });

  test('is refused with a wrong password, a weak one, and where there is none', async () => {
    const user = await newUser(api);
    const wrong = await change(user, { currentPassword: 'wrong' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_credentials']);
    for (const weak of ['password', user.email, 'atelier 2026', 'short']) {
      const { status, body } = await change(user, { newPassword: weak });
      expect([status, body.code, body.errors[0].path]).toEqual([
        400,
        'validation_failed',
        ['newPassword'],
      ]);
    }
    await api.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    expect((await change(user)).body.code).toBe('invalid_credentials');
  });

  test('ends sessions that only a clock of the wrong day took for expired', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    const year = 365 * 24 * 60 * 60;
    api.clock.advance({ seconds: year });
    try {
      const later = await logIn(api, user);
      expect((await change(later)).body.data).toEqual({ endedCount: 0 });
    } finally {
      api.clock.advance({ seconds: -year });
    }
    expect(await statusOf(other)).toBe(401);
    const body = { refreshToken: other.refreshToken };
    expect((await call(api, 'auth.refresh', { body })).status).toBe(401);
  });

  test('by two sessions at once is made by one', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    const kept = { endOtherSessions: false };
    const responses = await Promise.all([
      change(user, { ...kept, newPassword: 'the first new password' }),
      change(other, { ...kept, newPassword: 'the second new password' }),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('does not prove the mailbox', async () => {
    const user = await newUser(api);
    expect((await change(user)).status).toBe(200);
    const [account] = await api.db.select().from(users).where(eq(users.id, user.id));
    expect(account?.passwordOrigin).toBe('REGISTERED');
  });

  test('takes the second factor', async () => {
    const user = await newUser(api);
    const { secret } = await enrol(api, user);
    expect((await change(user)).body.code).toBe('second_factor_required');
    const wrong = await change(user, { secondFactor: wrongTotp(secret, api) });
    expect(wrong.body.code).toBe('second_factor_invalid');
    expect((await change(user, { secondFactor: nextTotp(secret, api) })).status).toBe(200);
  });
});

describe('one-time codes', () => {
  test('are on only after a code, and another app can take over without a gap', async () => {
    const user = await newUser(api);
    const { token } = user;
    const enable = (code: string) => call(api, 'security.enableTotp', { token, body: { code } });
    expect((await enable('123456')).status).toBe(404);
    const start = async () =>
      secretIn((await call(api, 'security.startTotp', { token })).body.data.secret);
    const first = await start();
    const second = await start();
    expect((await signIn(user, somePassword)).status).toBe(200);
    expect((await enable(codeOf(first, api))).body.code).toBe('second_factor_invalid');
    const enabled = await enable(codeOf(second, api));
    expect(enabled.status).toBe(200);
    expect((await enable(codeOf(second, api))).status).toBe(404);

    const third = await start();
    expect((await signIn(user, somePassword, nextTotp(second, api))).status).toBe(200);
    const replaced = await enable(codeOf(third, api));
    expect(replaced.status).toBe(200);
    expect((await signIn(user, somePassword, nextTotp(second, api))).status).toBe(400);
    expect((await signIn(user, somePassword, nextTotp(third, api))).status).toBe(200);
    const [ended] = enabled.body.data.recoveryCodes;
    const old = await signIn(user, somePassword, { kind: 'recovery', code: ended });
    expect(old.body.code).toBe('second_factor_invalid');
  });

  test('are turned off once, and new recovery codes end the old ones', async () => {
    const user = await newUser(api);
    const { token } = user;
    const off = () => call(api, 'security.disableTotp', { token });
    const renew = () => call(api, 'security.renewRecoveryCodes', { token });
    expect([(await off()).status, (await renew()).status]).toEqual([404, 404]);
    const { recoveryCodes } = await enrol(api, user);
    const renewed = await renew();
    expect(renewed.status).toBe(201);
    const recover = (code: unknown) => signIn(user, somePassword, { kind: 'recovery', code });
    expect((await recover(recoveryCodes[0])).body.code).toBe('second_factor_invalid');
    expect((await recover(renewed.body.data.recoveryCodes[0])).status).toBe(200);
    const responses = await Promise.all([off(), off()]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await signIn(user, somePassword)).status).toBe(200);
    await expect
      .poll(async () => (await mailsTo(user.email)).map(({ subject }) => subject).toSorted())
      .toEqual([
        'A recovery code was used',
        'One-time codes were turned off',
        'One-time codes were turned on',
        'Please verify your email',
        'Your recovery codes were replaced',
      ]);
  });

  test('are in no table as text, and outlive the key that sealed them', async () => {
    const user = await newUser(api);
    const { secret, recoveryCodes } = await enrol(api, user);
    const stored = await databaseText(api);
    const shown = recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')]);
    for (const text of [...shown, base32Of(secret), secret.toString('hex')]) {
      expect(stored.includes(text)).toBe(false);
    }
    const keys = ['c'.repeat(64), api.config.TOKEN_ENVELOPE_KEYS[0]].join(',');
    const rotating = await startTestApi(
      { TOKEN_ENVELOPE_KEY: '', TOKEN_ENVELOPE_KEYS: keys, JOBS: 'separate' },
      { clock: api.clock, databaseUrl: api.config.DATABASE_URL },
    );
    const { db, keys: known, log } = rotating.deps;
    await keepTotpSecrets({ db, totpSecrets: totpSecrets(known), log });
    await rotating.close();
    const alone = await startTestApi(
      { TOKEN_ENVELOPE_KEY: 'c'.repeat(64), JOBS: 'separate' },
      { clock: api.clock, databaseUrl: api.config.DATABASE_URL },
    );
    const body = { email: user.email, password: somePassword };
    const opened = await call(alone, 'auth.login', {
      body: { ...body, secondFactor: nextTotp(secret, api) },
    });
    const lost = await call(alone, 'auth.login', {
      body: { ...body, secondFactor: { kind: 'recovery', code: recoveryCodes[0] } },
    });
    await alone.close();
    expect([opened.status, lost.body.code]).toEqual([200, 'second_factor_invalid']);
  });

  test('keep what `operator verify` checks', async () => {
    await enrol(api, await newUser(api));
    const broken = async () =>
      (await verifyDatabase(api.db)).filter(({ total }) => total > 0).map(({ name }) => name);
    expect(await broken()).toEqual([]);
    const user = await newUser(api);
    await api.db.update(users).set({ hasSecondFactor: true }).where(eq(users.id, user.id));
    expect(await broken()).toEqual(['second-factors']);
    await api.db.execute(sql`update users set has_second_factor = false where id = ${user.id}`);
  });
});

describe('a sign-in provider', () => {
  const remove = (token: string, provider: string) =>
    call(api, 'security.removeIdentity', { token, params: { provider } });
  const signInWith = (provider: 'google' | 'github', { email }: { email: string }) =>
    new Browser(api).signIn(provider, email);
  const boundTo = async ({ id }: { id: string }) =>
    (await api.db.select().from(identities).where(eq(identities.userId, id)))
      .map(({ provider }) => provider)
      .toSorted();

  const untilWaiting = (count: number) =>
    expect
      .poll(async () => {
        const waiting = await api.db.execute(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length;
      })
      .toBe(count);

  test('is disconnected once, with a mail; a sign-in that is on its way back fails', async () => {
    const user = await newUser(api);
    const page = await signInWith('google', user);
    const responses = await Promise.all([1, 2, 3].map(() => remove(user.token, 'google')));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    expect(await boundTo(user)).toEqual([]);
    const code = page.searchParams.get('code');
    const exchanged = await call(api, 'auth.exchange', { body: { code } });
    expect(exchanged.body.code).toBe('invalid_or_expired_code');
    await mailOf(user.email, 'A sign-in provider was disconnected');
    const { body } = await call(api, 'security.overview', { token: user.token });
    expect(body.data.identities).toEqual([]);
    // The provider vouches for the email of the account, as at the first time.
    expect((await signInWith('google', user)).searchParams.get('error')).toBeNull();
    expect(await boundTo(user)).toEqual(['google']);
  });

  test('opens no session by a sign-in that was issuing its code while it was disconnected', async () => {
    const user = await newUser(api);
    await signInWith('google', user);
    // Nothing else waits for the account.
    await untilIdle(api);
    const { page, removed } = await api.db.transaction(async (tx) => {
      // Both store rows that refer to it.
      await tx.select().from(users).where(eq(users.id, user.id)).for('update');
      const page = signInWith('google', user);
      await untilWaiting(1);
      const removed = remove(user.token, 'google');
      await untilWaiting(2);
      return { page, removed };
    });
    expect((await removed).status).toBe(200);
    const code = (await page).searchParams.get('code');
    const exchanged = await call(api, 'auth.exchange', { body: { code } });
    expect([exchanged.status, exchanged.body.code]).toEqual([401, 'invalid_or_expired_code']);
    expect(await boundTo(user)).toEqual([]);
  });

  test('opens no session by an exchange that was waiting for a second factor while it was disconnected', async () => {
    const user = await newUser(api);
    const { secret } = await enrol(api, user);
    const code = (await signInWith('google', user)).searchParams.get('code');
    await untilIdle(api);
    const { exchanged, removed } = await api.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(authority_lock('account', ${user.id}))`);
      const exchanged = call(api, 'auth.exchange', { body: { code } });
      await untilWaiting(1);
      const removed = remove(user.token, 'google');
      await untilWaiting(2);
      return { exchanged, removed };
    });
    expect((await exchanged).body.code).toBe('second_factor_required');
    expect((await removed).status).toBe(200);
    const { status, body } = await call(api, 'auth.exchangeWithSecondFactor', {
      body: { code, secondFactor: nextTotp(secret, api) },
    });
    expect([status, body.code]).toEqual([401, 'invalid_or_expired_code']);
  });

  test('stays where there is no other way to sign in, also when two go at once', async () => {
    const [user, other] = [await newUser(api), await newUser(api)];
    for (const provider of ['google', 'github'] as const) await signInWith(provider, user);
    await signInWith('google', other);
    await api.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    const responses = await Promise.all([
      remove(user.token, 'google'),
      remove(user.token, 'github'),
    ]);
    const codes = responses.map(({ body }) => body.code).toSorted();
    expect(codes).toEqual(['last_sign_in_method', undefined]);
    expect(await boundTo(user)).toHaveLength(1);
    expect(await boundTo(other)).toEqual(['google']);
  });

  test('goes when a passkey is the other way to sign in', async () => {
    const user = await newUser(api);
    await signInWith('google', user);
    await addPasskey(api, user);
    await api.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    expect((await remove(user.token, 'google')).status).toBe(200);
  });

  test('needs a confirmed session, and a provider that there is', async () => {
    const user = await newUser(api);
    expect((await remove(user.token, 'gitlab')).status).toBe(400);
    api.clock.advance({ seconds: 11 * 60 });
    expect((await remove(user.token, 'google')).body.code).toBe('confirmation_required');
    api.clock.advance({ seconds: -11 * 60 });
  });
});

test('API keys are refused by every operation', async () => {
  const user = await newUser(api);
  const made = await call(api, 'apiKeys.create', {
    token: user.token,
    body: { name: 'Test', preset: 'everything', organizationIds: [user.organizationId] },
  });
  const { key } = made.body.data;
  const own = operations.filter(({ id }) => id.startsWith('security.'));
  expect(own).toHaveLength(12);
  for (const { id, endpoint } of own) {
    const takesBody: unknown = endpoint.body;
    const made = { clientDataJSON: 'e30', attestationObject: 'oA' };
    const response = { id: 'AAAA', type: 'public-key', response: made };
    const body = { code: '1', currentPassword: somePassword, newPassword, name: 'X', response };
    const { status, body: refusal } = await call(api, id, {
      token: key,
      params: { provider: 'google', id: user.id },
      ...(takesBody !== null && { body }),
    });
    expect([id, status, refusal.code]).toEqual([id, 403, 'key_refused']);
  }
});
