import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { accountActivities, sessions, users } from '../../db/generated/schema.ts';
import { logIn, mailsTo, newUser, mailOf, somePassword, tokenIn } from '../../testing/accounts.ts';
import type { TestUser } from '../../testing/accounts.ts';
import { call, startTestApi, type TestResponse } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { operate } from '../../testing/operator.ts';
import {
  addPasskey,
  signedForSignIn,
  signedInSession,
  signInWithPasskey,
} from '../../testing/passkeys.ts';
import { codeOf, enrol, nextTotp, wrongTotp } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';

const limits = {
  RATE_LIMIT_ENABLED: 'true',
  ...Object.fromEntries(
    [
      'LOGIN_FAILURES_PER_ACCOUNT',
      'LOGIN_FAILURES_PER_ADDRESS',
      'REGISTER_PER_ADDRESS',
      'PASSWORD_RESET_PER_ADDRESS',
    ].map((name) => [`RATE_LIMIT_${name}`, '1000']),
  ),
};
const api = await setUpApi(limits);

async function enrolled() {
  const user = await newUser(api);
  return { user, ...(await enrol(api, user)) };
}

const signIn = ({ email }: Pick<TestUser, 'email'>, secondFactor?: object, at = api) =>
  call(at, 'auth.login', {
    body: { email, password: somePassword, ...(secondFactor && { secondFactor }) },
  });

const confirm = ({ token }: Pick<TestUser, 'token'>, secondFactor?: object) =>
  call(api, 'auth.confirm', {
    token,
    body: { password: somePassword, ...(secondFactor && { secondFactor }) },
  });

const recovery = (code: string | undefined) => ({ kind: 'recovery', code });

const outcome = ({ status, body }: TestResponse) => [status, body.code];
const invalid = [400, 'second_factor_invalid'];
const required = [400, 'second_factor_required'];

/** The code of a sign-in through a provider, for which the exchange has asked for a second factor. */
async function ticketOf({ email }: Pick<TestUser, 'email'>): Promise<string> {
  const page = await new Browser(api).signIn('github', email);
  const code = page.searchParams.get('code') ?? '';
  expect(outcome(await call(api, 'auth.exchange', { body: { code } }))).toEqual(required);
  return code;
}

const present = (code: string, secondFactor: object) =>
  call(api, 'auth.exchangeWithSecondFactor', { body: { code, secondFactor } });

async function securityOf({ token }: Pick<TestUser, 'token'>) {
  return (await call(api, 'security.overview', { token })).body.data;
}

describe('a sign-in with a password', () => {
  test('asks for the factor after the right password only', async () => {
    const { user, secret } = await enrolled();
    const bare = await signIn(user);
    expect(outcome(bare)).toEqual(required);
    expect(bare.body.errors).toEqual(
      ['totp', 'recovery'].map((code) => ({
        in: 'body',
        path: ['secondFactor'],
        code,
        message: expect.any(String),
      })),
    );
    const other = await newUser(api);
    for (const { email } of [user, other]) {
      for (const secondFactor of [undefined, nextTotp(secret, api), recovery('X')]) {
        const body = { email, password: 'wrong', ...(secondFactor && { secondFactor }) };
        const { status, body: refusal } = await call(api, 'auth.login', { body });
        expect([status, { ...refusal, requestId: '' }]).toEqual([
          400,
          { code: 'invalid_credentials', message: expect.any(String), requestId: '' },
        ]);
      }
    }
    // An account without one is not asked, whatever is sent.
    expect((await signIn(other, wrongTotp(secret, api))).status).toBe(200);
  });

  test('takes a code once, also of twenty at the same time', async () => {
    const { user, secret, firstCode } = await enrolled();
    // The code that turned it on counts as used.
    expect(outcome(await signIn(user, { kind: 'totp', code: firstCode }))).toEqual(invalid);
    const factor = nextTotp(secret, api);
    const responses = await Promise.all(Array.from({ length: 20 }, () => signIn(user, factor)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const response of responses) {
      if (response.status === 429)
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      else if (response.status !== 200) expect(outcome(response)).toEqual(invalid);
    }
    const logins = await api.db
      .select()
      .from(accountActivities)
      .where(
        and(eq(accountActivities.actorId, user.id), eq(accountActivities.action, 'user.login')),
      );
    expect(logins).toHaveLength(2);
  });

  test('takes no code of an older step, even one never used', async () => {
    const { user, secret } = await enrolled();
    api.clock.advance({ seconds: 60 });
    const older = { kind: 'totp', code: codeOf(secret, api) };
    const newer = { kind: 'totp', code: codeOf(secret, api, 1) };
    expect((await signIn(user, newer)).status).toBe(200);
    expect(outcome(await signIn(user, older))).toEqual(invalid);
    api.clock.advance({ seconds: 30 });
    expect((await signIn(user, nextTotp(secret, api))).status).toBe(200);
  });

  test('takes a recovery code once, also of twenty at the same time, and mails it', async () => {
    const { user, recoveryCodes } = await enrolled();
    expect(recoveryCodes).toHaveLength(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}(-|$)){4}/);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => signIn(user, recovery(recoveryCodes[0]))),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await securityOf(user)).recoveryCodesLeft).toBe(9);
    const used = await api.db
      .select()
      .from(accountActivities)
      .where(
        and(
          eq(accountActivities.actorId, user.id),
          eq(accountActivities.action, 'user.use_recovery_code'),
        ),
      );
    expect(used).toHaveLength(1);
    await expect
      .poll(async () => (await mailsTo(user.email)).map(({ subject }) => subject))
      .toContain('A recovery code was used');
    const mail = (await mailsTo(user.email)).find(({ subject }) => subject.includes('recovery'));
    expect(mail?.text).toContain('It came from node at the address 127.0.0.1.');
  });

  test('a password reset removes no factor', async () => {
    const { user, secret, recoveryCodes } = await enrolled();
    await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
    await expect
      .poll(async () => (await mailsTo(user.email)).map(({ subject }) => subject))
      .toContain('How to reset your password');
    const mails = await mailsTo(user.email);
    const reset = mails.find(({ subject }) => subject === 'How to reset your password');
    if (!reset) throw new Error('unreachable: the mail has arrived');
    const body = { token: tokenIn(reset), password: somePassword };
    expect((await call(api, 'auth.resetPassword', { body })).status).toBe(200);
    expect(outcome(await signIn(user))).toEqual(required);
    expect((await signIn(user, nextTotp(secret, api))).status).toBe(200);
    const typed = recoveryCodes[0]?.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o');
    expect((await signIn(user, recovery(typed))).status).toBe(200);
  });
});

describe('wrong second factors', () => {
  test('count for the account over all operations and instances, and are mailed once', async () => {
    const { user, secret } = await enrolled();
    const other = await startTestApi(
      { ...limits, JOBS: 'separate' },
      { clock: api.clock, databaseUrl: api.config.DATABASE_URL },
    );
    try {
      const wrong = wrongTotp(secret, api);
      const spare = await ticketOf(user);
      expect(outcome(await signIn(user, wrong))).toEqual(invalid);
      expect(outcome(await signIn(user, recovery('0000-0000-0000-0000'), other))).toEqual(invalid);
      expect(outcome(await present(await ticketOf(user), wrong))).toEqual(invalid);
      expect(outcome(await confirm(user, wrong))).toEqual(invalid);
      const change = (secondFactor: object) =>
        call(other, 'security.changePassword', {
          token: user.token,
          body: { currentPassword: somePassword, newPassword: 'another horse', secondFactor },
        });
      expect(outcome(await change(wrong))).toEqual(invalid);
      // Without one, and with a wrong password, nothing is counted and nothing new is told.
      expect(outcome(await signIn(user))).toEqual(required);
      const right = nextTotp(secret, api);
      const guess = { email: user.email, password: 'wrong', secondFactor: right };
      expect(outcome(await call(api, 'auth.login', { body: guess }))).toEqual([
        400,
        'invalid_credentials',
      ]);
      for (const attempt of [
        signIn(user, right),
        signIn(user, right, other),
        present(spare, right),
        confirm(user, right),
        change(right),
      ]) {
        expect(outcome(await attempt)).toEqual([429, 'rate_limited']);
      }
      expect((await signIn((await enrolled()).user, undefined)).status).toBe(400);
      const warnings = async () =>
        (await mailsTo(user.email)).filter(
          ({ subject }) => subject === 'Someone knows your password',
        );
      await expect.poll(async () => (await warnings()).length).toBe(1);
    } finally {
      await other.close();
    }
  });
});

test('wrong second factors at the same time are five, however many are sent', async () => {
  const { user, secret } = await enrolled();
  const wrong = wrongTotp(secret, api);
  const attempts = [() => signIn(user, wrong), () => confirm(user, wrong)];
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => attempts.map((attempt) => attempt())).flat(),
  );
  const tried = responses.filter(({ status }) => status === 400);
  expect(tried.map(outcome)).toEqual(Array.from({ length: 5 }, () => invalid));
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(15);
});

describe('wrong passkeys', () => {
  test('count for the account, alone too, and are mailed once', async () => {
    const { user, secret } = await enrolled();
    const { device } = await addPasskey(api, user);
    const flaws = { isUserVerified: false };
    const factor = async () => ({
      kind: 'passkey',
      response: await signedForSignIn(api, device, flaws),
    });
    const alone = () => signInWithPasskey(api, device, flaws);
    const confirmAlone = async () => {
      const passkey = await signedInSession(api, user, device, flaws);
      return call(api, 'auth.confirm', { token: user.token, body: { passkey } });
    };
    const refused = [400, 'passkey_invalid'];
    expect(outcome(await signIn(user, await factor()))).toEqual(invalid);
    expect(outcome(await confirm(user, await factor()))).toEqual(invalid);
    expect(outcome(await signIn(user, wrongTotp(secret, api)))).toEqual(invalid);
    expect(outcome(await confirmAlone())).toEqual(refused);
    expect(outcome(await alone())).toEqual(refused);
    for (const attempt of [
      alone(),
      confirmAlone(),
      signInWithPasskey(api, device),
      signIn(user, nextTotp(secret, api)),
    ]) {
      expect(outcome(await attempt)).toEqual([429, 'rate_limited']);
    }
    await expect
      .poll(async () => (await mailsTo(user.email)).map(({ subject }) => subject))
      .toContain('A passkey was refused several times');
    // Responses without a valid challenge are of nobody.
    const other = await enrolled();
    const { device: free } = await addPasskey(api, other.user);
    const stale = { challenge: 'x'.repeat(43) };
    for (let tries = 0; tries < 6; tries += 1) {
      expect(outcome(await signInWithPasskey(api, free, stale))).toEqual(refused);
    }
    expect((await signInWithPasskey(api, free)).status).toBe(200);
  });
});

describe('a sign-in through a provider', () => {
  test('waits for the factor, and has five tries', async () => {
    const { user, secret, recoveryCodes } = await enrolled();
    const code = await ticketOf(user);
    // The response was lost: the same exchange asks again.
    expect(outcome(await call(api, 'auth.exchange', { body: { code } }))).toEqual(required);
    const stray = { code, verifier: 'v'.repeat(43), secondFactor: nextTotp(secret, api) };
    expect(outcome(await call(api, 'auth.exchangeWithSecondFactor', { body: stray }))).toEqual([
      401,
      'invalid_or_expired_code',
    ]);
    const wrong = wrongTotp(secret, api);
    for (let tries = 0; tries < 4; tries += 1) {
      expect(outcome(await present(code, wrong))).toEqual(invalid);
    }
    const right = recovery(recoveryCodes[0]);
    const responses = await Promise.all([1, 2, 3].map(() => present(code, right)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    const token = responses.find(({ status }) => status === 200)?.body.data.token.accessToken;
    // A provider may sign in without asking for anything.
    expect(await securityOf({ token })).toMatchObject({
      identities: [{ provider: 'github' }],
      confirmedUntil: null,
    });
  });

  test('is over after five tries, and after five minutes', async () => {
    const { user, secret } = await enrolled();
    const code = await ticketOf(user);
    for (let tries = 0; tries < 5; tries += 1) await present(code, wrongTotp(secret, api));
    expect((await present(code, nextTotp(secret, api))).status).toBe(401);
    expect((await call(api, 'auth.exchange', { body: { code } })).status).toBe(401);

    const { user: late, secret: lateSecret } = await enrolled();
    const expiring = await ticketOf(late);
    api.clock.advance({ seconds: 300 });
    expect((await present(expiring, nextTotp(lateSecret, api))).status).toBe(401);
  });
});

describe('a confirmation', () => {
  test('takes the factor too, counts for its session, and survives no refresh', async () => {
    const user = await newUser(api);
    const before = await logIn(api, user);
    const { secret } = await enrol(api, user);
    // It was confirmed without the factor.
    const start = ({ token }: Pick<TestUser, 'token'>) =>
      call(api, 'security.startTotp', { token });
    expect(outcome(await start(before))).toEqual([403, 'confirmation_required']);
    expect(outcome(await confirm(before))).toEqual(required);
    expect(outcome(await confirm(before, wrongTotp(secret, api)))).toEqual(invalid);
    expect((await securityOf(before)).confirmedUntil).toBeNull();
    expect((await confirm(before, nextTotp(secret, api))).status).toBe(200);
    expect((await start(before)).status).toBe(201);

    api.clock.advance({ seconds: 600 });
    const body = { refreshToken: before.refreshToken };
    const refreshed = await call(api, 'auth.refresh', { body });
    expect(outcome(await start(refreshed.body.data))).toEqual([403, 'confirmation_required']);
  });

  test('of a sign-in with both is fresh', async () => {
    const { user, secret } = await enrolled();
    const { body } = await signIn(user, nextTotp(secret, api));
    const { confirmedUntil, totp } = await securityOf({ token: body.data.token.accessToken });
    expect(Date.parse(confirmedUntil)).toBeGreaterThan(api.clock.now().getTime() + 590_000);
    expect(totp).toEqual({ enabledAt: expect.stringMatching(/Z$/) });
  });
});

describe('a factor that is turned on while another request is under way', () => {
  test('never leaves a session that is confirmed without it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await newUser(api);
      const [, login] = await Promise.all([enrol(api, user), signIn(user), confirm(user)]);
      expect([200, 400]).toContain(login.status);
      if (login.status === 400) expect(outcome(login)).toEqual(required);
      const open = await api.db.select().from(sessions).where(eq(sessions.userId, user.id));
      const confirmed = open.filter(({ confirmedAt }) => confirmedAt !== null);
      expect(confirmed).toHaveLength(1);
    }
  });
});

describe('an operator', () => {
  test('removes the factor, ends the sessions, and mails it', async () => {
    const { user } = await enrolled();
    const reset = () =>
      operate(['reset-second-factor', user.email], { DATABASE_URL: api.config.DATABASE_URL });
    expect(await reset()).toMatchObject({
      exitCode: 0,
      stdout: `The second factor of ${user.email} is removed, and all its sessions are ended.`,
    });
    expect((await reset()).stdout).toBe(`${user.email} has no second factor.`);
    expect((await call(api, 'security.overview', { token: user.token })).status).toBe(401);
    const again = await signIn(user);
    expect(again.status).toBe(200);
    expect(await securityOf({ token: again.body.data.token.accessToken })).toMatchObject({
      totp: null,
      recoveryCodesLeft: 0,
    });
    const [account] = await api.db.select().from(users).where(eq(users.id, user.id));
    expect(account?.hasSecondFactor).toBe(false);
    const recorded = await api.db
      .select()
      .from(accountActivities)
      .where(
        and(
          eq(accountActivities.resourceId, user.id),
          eq(accountActivities.action, 'user.reset_second_factor'),
        ),
      );
    expect(recorded).toMatchObject([{ actorId: null, resourceName: user.email }]);
    await mailOf(user.email, 'Your second factor was removed');
  });
});
