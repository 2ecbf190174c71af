// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  accountActivities,
  mailedTokens,
  organizations,
  users,
} from '../../db/generated/schema.ts';
import {
  logIn,
  mailOf,
  mailsTo,
  newUser,
  nextMail,
  somePassword,
  tokenIn,
} from '../../testing/accounts.ts';
import { accountActivitiesOf } from '../../testing/activities.ts';
import { call, someEmail } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const register = (body: object) => call(api, 'auth.register', { body });
const verify = (token: string) => call(api, 'auth.verifyEmail', { body: { token } });
const reset = (token: string, password: string) =>
  call(api, 'auth.resetPassword', { body: { token, password } });

async function resetTokenFor(email: string, mailNumber: number): Promise<string> {
  await call(api, 'auth.requestPasswordReset', { body: { email } });
  return tokenIn(await nextMail(email, mailNumber));
}

describe('registration', () => {
  test('creates a pending account with its personal organization and mails one link', async () => {
    const email = someEmail('ada');
    const response = await register({
      email: email.toUpperCase(),
      password: somePassword,
      firstName: ' Ada ',
    });
    expect([response.status, response.body]).toEqual([
      201,
      { message: 'Check your inbox to verify your email', data: { email } },
    ]);
    const [user] = await api.db.select().from(users).where(eq(users.email, email));
    expect(user).toMatchObject({
      accountStatus: 'PENDING',
      firstName: 'Ada',
      platformRole: 'USER',
    });
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const owned = await api.db
      .select()
      .from(organizations)
      .where(eq(organizations.ownerId, String(user?.id)));
    expect(owned).toEqual([expect.objectContaining({ type: 'PERSONAL' })]);

    const mail = await nextMail(email);
    expect(mail.subject).toMatch(/verify/i);
    expect(mail.text).toContain('https://app.example.com/verify-email?token=');
    expect(mail.html).toContain(tokenIn(mail));
  });

  test("stores a mail's token only as its hash, and not in the queue", async () => {
    const email = someEmail();
    await register({ email, password: somePassword });
    const token = tokenIn(await nextMail(email));
    expect(token).toMatch(/^[\w-]{43}$/);
    const dump = JSON.stringify([
      await api.db.select().from(mailedTokens),
      await api.db.execute(sql`select * from graphile_worker._private_jobs`),
    ]);
    expect(dump).not.toContain(token);
  });

  test('responds the same for a taken address and leaves the account unchanged', async () => {
    const user = await newUser(api);
    const response = await register({ email: user.email, password: 'a password of an attacker' });
    expect([response.status, response.body.data]).toEqual([201, { email: user.email }]);
    await logIn(api, user);
    const registrations = await api.db
      .select()
      .from(accountActivities)
      .where(
        sql`${accountActivities.resourceId} = ${user.id} and ${accountActivities.action} = 'user.register'`,
      );
    expect(registrations).toHaveLength(1);
  });

  test('of a pending account with another password voids the first mail and both passwords', async () => {
    const email = someEmail();
    await register({ email, password: 'the first password' });
    const first = tokenIn(await nextMail(email, 1));
    await register({ email, password: 'the second password' });
    const second = tokenIn(await nextMail(email, 2));
    expect((await verify(first)).status).toBe(400);
    const { status, body } = await verify(second);
    expect(status).toBe(200);
    for (const password of ['the first password', 'the second password']) {
      const login = await call(api, 'auth.login', { body: { email, password } });
      expect([login.status, login.body.code]).toEqual([400, 'invalid_credentials']);
    }
    expect((await reset(body.data.resetToken, 'a third password')).status).toBe(200);
    await logIn(api, { email, password: 'a third password' });
  });

  test('voids the first mail immediately, not when the second is sent', async () => {
    const email = someEmail();
    await register({ email, password: 'the first password' });
    const first = tokenIn(await nextMail(email, 1));
    await register({ email, password: 'a password of an attacker' });
    const late = await verify(first);
    const attack = await call(api, 'auth.login', {
      body: { email, password: 'a password of an attacker' },
    });
    expect([late.status, attack.body.code]).toEqual([400, 'account_pending']);
  });

  test('in parallel with verifications and resets of the same account never fails', async () => {
    for (let round = 0; round < 8; round += 1) {
      const email = someEmail();
      await register({ email, password: somePassword });
      const verifying = tokenIn(await nextMail(email, 1));
      const resetting = await resetTokenFor(email, 2);
      const responses = await Promise.all([
        register({ email, password: 'another password' }),
        verify(verifying),
        register({ email, password: 'a third password' }),
      ]);
      const settled = await Promise.all([
        register({ email, password: 'a fourth password' }),
        reset(resetting, 'a brand new password'),
      ]);
      for (const { status } of [...responses, ...settled])
        expect([200, 201, 400]).toContain(status);
    }
  });

  test('20 times in parallel creates one account and one personal organization', async () => {
    const email = someEmail();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => register({ email, password: somePassword })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const accounts = await api.db.select().from(users).where(eq(users.email, email));
    expect(accounts).toHaveLength(1);
    const owned = await api.db
      .select()
      .from(organizations)
      .where(eq(organizations.ownerId, String(accounts[0]?.id)));
    expect(owned).toHaveLength(1);
  });

  test('ignores fields that a caller may not set', async () => {
    const email = someEmail();
    const { status } = await register({
      email,
      password: somePassword,
      accountStatus: 'VERIFIED',
      platformRole: 'ADMIN',
      id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
      organizationId: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
    });
    expect(status).toBe(201);
    const [user] = await api.db.select().from(users).where(eq(users.email, email));
    expect(user).toMatchObject({ accountStatus: 'PENDING', platformRole: 'USER' });
    expect(user?.id).not.toBe('019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42');
  });

  test.each([
    ['seven characters', 'abcdefg', 'too_small'],
    ['129 characters', 'a'.repeat(129), 'too_big'],
    ['seven emoji', '🦊🦊🦊🦊🦊🦊🦊', 'too_small'],
    ['a common one', 'password1', 'password_too_common'],
    ['a common one in capitals', 'PASSWORD1', 'password_too_common'],
    ['NUL', 'abcdefgh\0', 'custom'],
    ['a lone surrogate', 'abcdefgh\ud800', 'custom'],
    ['a number', 123456789, 'invalid_type'],
    ['nothing', undefined, 'required'],
  ])('refuses a password of %s and names the field', async (_, password, code) => {
    const { status, body } = await register({ email: someEmail(), password });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([
      expect.objectContaining({ in: 'body', path: ['password'], code }),
    ]);
  });

  test('refuses the email as password', async () => {
    const email = someEmail();
    const { status, body } = await register({ email, password: email });
    expect([status, body.errors[0].code]).toEqual([400, 'password_is_email']);
  });

  test('counts a password in code points', async () => {
    const response = await register({ email: someEmail(), password: '🦊'.repeat(128) });
    expect(response.status).toBe(201);
  });
});

describe('email verification', () => {
  test('works once', async () => {
    const email = someEmail();
    await register({ email, password: somePassword });
    const token = tokenIn(await nextMail(email));
    const responses = await Promise.all(Array.from({ length: 10 }, () => verify(token)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(9);
  });

  test('ends after 24 hours', async () => {
    const email = someEmail();
    await register({ email, password: somePassword });
    const token = tokenIn(await nextMail(email));
    api.clock.advance({ seconds: 24 * 60 * 60 + 1 });
    expect((await verify(token)).body.code).toBe('invalid_or_expired_token');
  });

  test('rejects a token for another purpose', async () => {
    const user = await newUser(api);
    const token = await resetTokenFor(user.email, 2);
    expect((await verify(token)).status).toBe(400);
    expect((await call(api, 'auth.verifyToken', { query: { token } })).status).toBe(200);
  });
});

describe('password reset', () => {
  test('responds the same for known and unknown addresses', async () => {
    const { email } = await newUser(api);
    for (const address of [email, someEmail()]) {
      const response = await call(api, 'auth.requestPasswordReset', { body: { email: address } });
      expect([response.status, response.body]).toEqual([
        200,
        { message: 'If the account exists, a reset link is on its way', data: { email: address } },
      ]);
    }
  });

  test('allows any number of checks of a token, and one use', async () => {
    const user = await newUser(api);
    const token = await resetTokenFor(user.email, 2);
    for (let times = 0; times < 3; times += 1) {
      const check = await call(api, 'auth.verifyToken', { query: { token } });
      expect([check.status, check.body.data.valid]).toEqual([200, true]);
    }
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, index) => reset(token, `new password ${index}`)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await call(api, 'auth.verifyToken', { query: { token } })).status).toBe(400);
  });

  test('ends every session immediately and changes the password', async () => {
    const user = await newUser(api);
    const elsewhere = await logIn(api, user);
    const token = await resetTokenFor(user.email, 2);
    expect((await reset(token, 'a brand new password')).status).toBe(200);
    for (const session of [user, elsewhere]) {
      expect((await call(api, 'auth.user', { token: session.token })).status).toBe(401);
      const refreshed = await call(api, 'auth.refresh', {
        body: { refreshToken: session.refreshToken },
      });
      expect(refreshed.status).toBe(401);
    }
    expect((await call(api, 'auth.login', { body: user })).status).toBe(400);
    await logIn(api, { email: user.email, password: 'a brand new password' });
    const notice = await mailOf(user.email, 'You have a new password');
    expect(notice.text).toContain('127.0.0.1');
  });

  test('keeps the token valid when the password is refused', async () => {
    const user = await newUser(api);
    const token = await resetTokenFor(user.email, 2);
    expect((await reset(token, 'password1')).body.errors[0].code).toBe('password_too_common');
    expect((await reset(token, user.email)).body.errors[0].code).toBe('password_is_email');
    expect((await reset(token, 'a better password')).status).toBe(200);
  });

  test('voids a token after a newer one, and after 30 minutes', async () => {
    const user = await newUser(api);
    const first = await resetTokenFor(user.email, 2);
    const second = await resetTokenFor(user.email, 3);
    expect((await reset(first, 'a brand new password')).status).toBe(400);
    api.clock.advance({ seconds: 30 * 60 + 1 });
    expect((await reset(second, 'a brand new password')).status).toBe(400);
    const check = await call(api, 'auth.verifyToken', { query: { token: second } });
    expect([check.status, check.body.code]).toEqual([400, 'invalid_or_expired_token']);
  });

  test('verifies a pending account, and never reinstates a suspended one', async () => {
    const email = someEmail();
    await register({ email, password: somePassword });
    await nextMail(email);
    const token = await resetTokenFor(email, 2);
    await reset(token, 'a brand new password');
    const { id } = await logIn(api, { email, password: 'a brand new password' });
    const recorded = await accountActivitiesOf(api, id);
    expect(recorded.filter(({ action }) => action === 'user.reset_password')).toEqual([
      expect.objectContaining({
        changes: [{ field: 'accountStatus', from: 'PENDING', to: 'VERIFIED' }],
      }),
    ]);

    const user = await newUser(api);
    const suspendedToken = await resetTokenFor(user.email, 2);
    await api.db.execute(sql`update users set account_status = 'SUSPENDED' where id = ${user.id}`);
    await reset(suspendedToken, 'a brand new password');
    const login = await call(api, 'auth.login', {
      body: { email: user.email, password: 'a brand new password' },
    });
    expect(login.body.code).toBe('account_suspended');
  });

  test('sends no mail to unknown addresses', async () => {
    const unknown = someEmail();
    const known = await newUser(api);
    await call(api, 'auth.requestPasswordReset', { body: { email: unknown } });
    // The queue runs in order of arrival: once the later mail is there, the earlier job has run.
    await resetTokenFor(known.email, 2);
    expect(await mailsTo(unknown)).toEqual([]);
  });
});
