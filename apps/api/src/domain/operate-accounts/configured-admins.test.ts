// @module-tag slow

import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountActivities, users } from '../../db/generated/schema.ts';
import { logIn, newUser, nextMail, somePassword, tokenIn } from '../../testing/accounts.ts';
import { call, someEmail, startTestApi, type TestApi } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';

/** Chooses a password by a mailed link. */
async function resetBy(at: TestApi, email: string, mailNumber: number): Promise<string> {
  const password = `${somePassword}, chosen by the mailbox`;
  await call(at, 'auth.requestPasswordReset', { body: { email } });
  const token = tokenIn(await nextMail(email, mailNumber));
  const response = await call(at, 'auth.resetPassword', { body: { token, password } });
  expect(response.status).toBe(200);
  return password;
}

describe('ADMIN_EMAILS', () => {
  const listed = [
    someEmail('root'),
    someEmail('root'),
    someEmail('root'),
    someEmail('root'),
  ] as const;
  let listing: TestApi;
  beforeAll(async () => {
    listing = await startTestApi({
      ADMIN_EMAILS: listed.map((email) => email.toUpperCase()).join(', '),
    });
  });
  afterAll(() => listing.close());
  const storedThere = async (email: string) => {
    const [row] = await listing.db.select().from(users).where(eq(users.email, email));
    return row;
  };
  const verified = async (email: string, ...passwords: string[]) => {
    let response;
    for (const [index, password] of passwords.entries()) {
      await call(listing, 'auth.register', { body: { email, password } });
      const token = tokenIn(await nextMail(email, index + 1));
      if (index + 1 < passwords.length) continue;
      response = await call(listing, 'auth.verifyEmail', { body: { token } });
    }
    return response?.body.data.resetToken;
  };

  test('grants nothing to the password of a registration, which may be anyone’s', async () => {
    const [email] = listed;
    await call(listing, 'auth.register', { body: { email, password: somePassword } });
    const early = await call(listing, 'auth.login', { body: { email, password: somePassword } });
    expect(early.body.code).toBe('account_pending');
    const token = tokenIn(await nextMail(email));
    await call(listing, 'auth.verifyEmail', { body: { token } });
    const { id } = await logIn(listing, { email, password: somePassword });
    expect(await storedThere(email)).toMatchObject({ platformRole: 'USER' });
    const rows = await listing.db
      .select()
      .from(accountActivities)
      .where(eq(accountActivities.resourceId, id));
    expect(rows.map(({ action }) => action)).not.toContain('user.grant_admin');
  });

  test('makes an administrator at the login with a password chosen from the mailbox, once', async () => {
    const [email] = listed;
    const password = await resetBy(listing, email, 2);
    expect(await storedThere(email)).toMatchObject({ platformRole: 'USER' });
    const { id } = await logIn(listing, { email, password });
    await logIn(listing, { email, password });
    expect(await storedThere(email)).toMatchObject({ platformRole: 'ADMIN' });
    const rows = await listing.db
      .select()
      .from(accountActivities)
      .where(
        and(eq(accountActivities.resourceId, id), eq(accountActivities.action, 'user.grant_admin')),
      );
    expect(rows).toEqual([
      expect.objectContaining({
        actorId: null,
        changes: [{ field: 'platformRole', from: 'USER', to: 'ADMIN' }],
      }),
    ]);
  });

  test('makes an administrator of an address that others registered too, once its owner has chosen a password', async () => {
    const email = listed[1];
    const token = await verified(email, somePassword, 'a password of an attacker');
    const body = { token, password: 'a password of its owner' };
    expect((await call(listing, 'auth.resetPassword', { body })).status).toBe(200);
    await logIn(listing, { email, password: body.password });
    expect(await storedThere(email)).toMatchObject({ platformRole: 'ADMIN' });
  });

  test('makes an administrator by a provider, and then invalidates what a registration has left', async () => {
    const email = listed[2];
    // Verified by mistake: the password and this session are the attacker's.
    await verified(email, 'a password of an attacker');
    const attacker = await logIn(listing, { email, password: 'a password of an attacker' });

    const page = await new Browser(listing).signIn('google', email);
    const code = page.searchParams.get('code');
    const { status, body } = await call(listing, 'auth.exchange', { body: { code } });
    expect(status).toBe(200);
    expect(await storedThere(email)).toMatchObject({ platformRole: 'ADMIN', passwordHash: null });
    const me = await call(listing, 'auth.user', { token: body.data.token.accessToken });
    expect([me.status, me.body.data.platformRole]).toEqual([200, 'ADMIN']);
    expect((await call(listing, 'auth.user', { token: attacker.token })).status).toBe(401);
    const again = await call(listing, 'auth.login', {
      body: { email, password: 'a password of an attacker' },
    });
    expect(again.body.code).toBe('invalid_credentials');
  });

  test('by a provider keeps a password chosen from the mailbox, and its sessions', async () => {
    const email = listed[3];
    await verified(email, somePassword);
    const password = await resetBy(listing, email, 2);
    // A session from before the address was listed.
    await listing.db.update(users).set({ platformRole: 'ADMIN' }).where(eq(users.email, email));
    const own = await logIn(listing, { email, password });
    await listing.db.update(users).set({ platformRole: 'USER' }).where(eq(users.email, email));
    const page = await new Browser(listing).signIn('github', email);
    await call(listing, 'auth.exchange', { body: { code: page.searchParams.get('code') } });
    expect(await storedThere(email)).toMatchObject({ platformRole: 'ADMIN' });
    expect((await call(listing, 'auth.user', { token: own.token })).status).toBe(200);
    await logIn(listing, { email, password });
  });

  test('grants nothing to an unlisted user', async () => {
    const user = await newUser(listing);
    const password = await resetBy(listing, user.email, 2);
    await logIn(listing, { email: user.email, password });
    expect(await storedThere(user.email)).toMatchObject({ platformRole: 'USER' });
  });
});
