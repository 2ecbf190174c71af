// @module-tag slow

import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { accountActivities, mailedTokens, users } from '../../db/generated/schema.ts';
import { logIn, nextMail, somePassword, tokenIn } from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const victims = 'the password of the victim';
const attackers = 'the password of the attacker';

const register = (email: string, password: string) =>
  call(api, 'auth.register', { body: { email, password } });
const verify = (token: string) => call(api, 'auth.verifyEmail', { body: { token } });
const reset = (token: string, password: string) =>
  call(api, 'auth.resetPassword', { body: { token, password } });
const codeOfLogin = async (email: string, password: string) =>
  (await call(api, 'auth.login', { body: { email, password } })).body.code ?? 'logged in';

async function accountOf(email: string) {
  const [account] = await api.db.select().from(users).where(eq(users.email, email));
  if (!account) throw new Error(`no account of ${email}`);
  return account;
}

/** Registers an address with each of the passwords in turn; returns the newest link's token. */
async function registeredWith(email: string, ...passwords: readonly string[]): Promise<string> {
  let token = '';
  for (const [index, password] of passwords.entries()) {
    expect((await register(email, password)).status).toBe(201);
    token = tokenIn(await nextMail(email, index + 1));
  }
  return token;
}

describe('an address that was registered with two passwords', () => {
  test.each([
    ['the attacker after the victim', [victims, attackers]],
    ['the attacker before the victim', [attackers, victims]],
    ['the victim once more', [victims, attackers, victims]],
  ])('%s: the newest link proves the mailbox and no password is valid', async (_, passwords) => {
    const email = someEmail();
    const { status, body } = await verify(await registeredWith(email, ...passwords));
    expect([status, body]).toEqual([
      200,
      {
        message: 'Your email is verified',
        data: { email, resetToken: expect.stringMatching(/^[\w-]{43}$/) },
      },
    ]);
    expect(await accountOf(email)).toMatchObject({
      accountStatus: 'VERIFIED',
      passwordHash: null,
    });
    for (const password of passwords) {
      expect(await codeOfLogin(email, password)).toBe('invalid_credentials');
    }

    const token = String(body.data.resetToken);
    const check = await call(api, 'auth.verifyToken', { query: { token } });
    expect([check.status, check.body.data.valid]).toEqual([200, true]);
    expect((await reset(token, 'a password of my own')).status).toBe(200);
    expect((await reset(token, attackers)).status).toBe(400);
    await logIn(api, { email, password: 'a password of my own' });
  });

  test('a newer reset link voids it', async () => {
    const email = someEmail();
    const { body } = await verify(await registeredWith(email, victims, attackers));
    await call(api, 'auth.requestPasswordReset', { body: { email } });
    await nextMail(email, 3);
    expect((await reset(String(body.data.resetToken), attackers)).status).toBe(400);
  });

  test('is recorded in the single activity of the verification', async () => {
    const email = someEmail();
    await verify(await registeredWith(email, victims, attackers));
    const { id } = await accountOf(email);
    const recorded = await api.db
      .select()
      .from(accountActivities)
      .where(eq(accountActivities.resourceId, id));
    expect(recorded.filter(({ action }) => action === 'user.verify_email')).toEqual([
      expect.objectContaining({
        changes: [{ field: 'accountStatus', from: 'PENDING', to: 'VERIFIED' }],
        metadata: { passwordErased: true },
      }),
    ]);
  });

  test('a mailed reset resolves it as well', async () => {
    const email = someEmail();
    await registeredWith(email, victims, attackers);
    await call(api, 'auth.requestPasswordReset', { body: { email } });
    const token = tokenIn(await nextMail(email, 3));
    expect((await reset(token, 'a password of my own')).status).toBe(200);
    await logIn(api, { email, password: 'a password of my own' });
    expect(await accountOf(email)).toMatchObject({ passwordOrigin: 'PROVEN' });
  });

  test.each(['google', 'github'] as const)(
    'a sign-in through %s resolves it as well',
    async (by) => {
      const email = someEmail();
      const token = await registeredWith(email, victims, attackers);
      const page = await new Browser(api).signIn(by, email);
      const code = page.searchParams.get('code');
      expect((await call(api, 'auth.exchange', { body: { code } })).status).toBe(200);
      expect((await verify(token)).status).toBe(400);
      expect(await accountOf(email)).toMatchObject({
        accountStatus: 'VERIFIED',
        passwordHash: null,
        passwordOrigin: 'REGISTERED',
      });
    },
  );

  test('40 parallel verifications: one succeeds, with one valid token', async () => {
    const email = someEmail();
    const token = await registeredWith(email, victims, attackers);
    const responses = await Promise.all(Array.from({ length: 40 }, () => verify(token)));
    const [verified, ...others] = responses.filter(({ status }) => status === 200);
    expect([others.length, responses.filter(({ status }) => status === 400).length]).toEqual([
      0, 39,
    ]);
    expect((await reset(String(verified?.body.data.resetToken), victims)).status).toBe(200);
  });

  test('whatever happens between registrations and verification, no registered password opens a contested account', async () => {
    for (let round = 0; round < 6; round += 1) {
      const email = someEmail();
      const token = await registeredWith(email, victims);
      const [verified] = await Promise.all([
        verify(token),
        ...Array.from({ length: 8 }, () => register(email, attackers)),
      ]);
      // Verified before the attacker registered, the password is the victim's; otherwise the link was void.
      const account = await accountOf(email);
      if (verified.status === 200) {
        expect(verified.body.data.resetToken).toBeNull();
        expect(await codeOfLogin(email, victims)).toBe('logged in');
      } else {
        expect(account).toMatchObject({ accountStatus: 'PENDING', passwordOrigin: 'CONTESTED' });
      }
      expect(await codeOfLogin(email, attackers)).not.toBe('logged in');
    }
  });
});

describe('an address that was registered with one password', () => {
  test.each([1, 3])('%s times: the link verifies, and the password stays', async (times) => {
    const email = someEmail();
    const token = await registeredWith(email, ...Array.from({ length: times }, () => victims));
    const { status, body } = await verify(token);
    expect([status, body.data]).toEqual([200, { email, resetToken: null }]);
    await logIn(api, { email, password: victims });
    expect(await accountOf(email)).toMatchObject({ passwordOrigin: 'REGISTERED' });
  });

  test('40 parallel times: the same', async () => {
    const email = someEmail();
    await Promise.all(Array.from({ length: 40 }, () => register(email, somePassword)));
    expect(await accountOf(email)).toMatchObject({ passwordOrigin: 'REGISTERED' });
    await nextMail(email, 40);
    await register(email, somePassword);
    const { status, body } = await verify(tokenIn(await nextMail(email, 41)));
    expect([status, body.data]).toEqual([200, { email, resetToken: null }]);
    await logIn(api, { email, password: somePassword });
  });

  test('two accounts with the same password do not have the same hash', async () => {
    const emails = [someEmail(), someEmail()];
    await Promise.all(emails.map((email) => register(email, victims)));
    const [one, other] = await Promise.all(emails.map(accountOf));
    expect(one?.passwordHash).not.toBe(other?.passwordHash);
  });
});

// Last: a provider's tokens are short-lived.
test('a token to choose a password has that purpose, lives 30 minutes and is stored as its hash', async () => {
  const email = someEmail();
  const { body } = await verify(await registeredWith(email, victims, attackers));
  const token = String(body.data.resetToken);
  expect((await verify(token)).status).toBe(400);
  const stored = await api.db
    .select()
    .from(mailedTokens)
    .where(eq(mailedTokens.userId, (await accountOf(email)).id));
  expect(stored).toEqual([expect.objectContaining({ purpose: 'reset_password' })]);
  expect(JSON.stringify(stored)).not.toContain(token);
  api.clock.advance({ seconds: 30 * 60 + 1 });
  expect((await reset(token, attackers)).body.code).toBe('invalid_or_expired_token');
});
