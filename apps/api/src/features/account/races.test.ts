// @module-tag slow

import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { accountActivities, emailChanges, sessions, users } from '../../db/generated/schema.ts';
import { deleteAccount } from '../../jobs/delete-account/delete-account.ts';
import { deletionDeps, requestDeletion } from '../../jobs/delete-account/testing.ts';
import {
  logIn,
  mailedTokenOf,
  newUser,
  somePassword,
  type TestUser,
} from '../../testing/accounts.ts';
import { call, someEmail, type TestResponse } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { addPasskey, signedForSignIn } from '../../testing/passkeys.ts';
import { enrol, nextTotp } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { changeEmailOf, emailChangesOf, newPassword } from './testing.ts';

const api = await setUpApi();

const { confirm, undo, signIn, requested, rowOf } = emailChangesOf(api);
const rounds = [1, 2, 3, 4, 5];

const openSessions = ({ id }: Pick<TestUser, 'id'>) =>
  api.db.$count(sessions, and(eq(sessions.userId, id), isNull(sessions.endedAt)));
const recorded = ({ id }: Pick<TestUser, 'id'>, action: 'user.change_email' | 'user.delete') =>
  api.db.$count(
    accountActivities,
    and(eq(accountActivities.resourceId, id), eq(accountActivities.action, action)),
  );

async function resetTokenOf({ email }: Pick<TestUser, 'email'>): Promise<string> {
  await call(api, 'auth.requestPasswordReset', { body: { email } });
  return mailedTokenOf(email, 'How to reset your password');
}

describe('a change of the email', () => {
  test.each(rounds)('beside a reset is one of both, and the other link is void (%i)', async () => {
    const user = await newUser(api);
    const newEmail = someEmail('racing');
    const [token, reset] = [await requested(user, newEmail), await resetTokenOf(user)];
    const asReset = { body: { token: reset, password: newPassword } };
    const [changed, wasReset] = await Promise.all([
      confirm(token),
      call(api, 'auth.resetPassword', asReset),
    ]);
    expect([changed.status, wasReset.status].toSorted()).toEqual([200, 400]);
    const isChanged = changed.status === 200;
    expect(await rowOf(user)).toMatchObject({ email: isChanged ? newEmail : user.email });
    const works = async (email: string, password: string) =>
      (await signIn(email, password)).status === 200;
    expect([
      await works(newEmail, somePassword),
      await works(user.email, newPassword),
      await works(newEmail, newPassword),
      await works(user.email, somePassword),
    ]).toEqual([isChanged, !isChanged, false, false]);
    expect((await confirm(token)).status).toBe(400);
    expect((await call(api, 'auth.resetPassword', asReset)).status).toBe(400);
  });

  test.each(rounds)('beside a change of the password is one of both, or both (%i)', async () => {
    const user = await newUser(api);
    const newEmail = someEmail('racing');
    const token = await requested(user, newEmail);
    const [changed, password] = await Promise.all([
      confirm(token),
      call(api, 'security.changePassword', {
        token: user.token,
        body: { currentPassword: somePassword, newPassword },
      }),
    ]);
    // A password that came first has voided the link.
    expect(password.status).toBe(200);
    const email = changed.status === 200 ? newEmail : user.email;
    expect(await recorded(user, 'user.change_email')).toBe(changed.status === 200 ? 1 : 0);
    expect((await signIn(email, newPassword)).status).toBe(200);
    expect((await signIn(email)).status).toBe(400);
  });
});

describe('an undone change', () => {
  test.each(rounds)('beside the start of a deletion wins, or comes too late (%i)', async () => {
    const user = await newUser(api);
    const newEmail = someEmail('thief');
    const back = await changeEmailOf(api, user, newEmail);
    expect((await requestDeletion(api, { ...user, email: newEmail })).status).toBe(200);
    const [undone] = await Promise.all([undo(back), deleteAccount(deletionDeps(api), user.id)]);
    const row = await rowOf(user);
    const isDeleted = row.accountStatus === 'DELETED';
    expect(undone.status).toBe(isDeleted ? 400 : 200);
    expect(await recorded(user, 'user.delete')).toBe(isDeleted ? 1 : 0);
    if (isDeleted) {
      expect(row.email).toBe(`deleted-${user.id}@deleted.invalid`);
      expect(await api.db.$count(emailChanges, eq(emailChanges.userId, user.id))).toBe(0);
    } else {
      expect(row).toMatchObject({ accountStatus: 'VERIFIED', email: user.email, deletesAt: null });
      await deleteAccount(deletionDeps(api), user.id);
      expect((await rowOf(user)).accountStatus).toBe('VERIFIED');
    }
  });

  test.each(rounds)('beside its own deletion request is kept for its owner (%i)', async () => {
    const user = await newUser(api);
    const newEmail = someEmail('thief');
    const back = await changeEmailOf(api, user, newEmail);
    const [undone] = await Promise.all([
      undo(back),
      requestDeletion(api, { ...user, email: newEmail }),
    ]);
    expect(undone.status).toBe(200);
    expect(await rowOf(user)).toMatchObject({ accountStatus: 'VERIFIED', email: user.email });
    expect(await openSessions(user)).toBe(0);
  });
});

describe('a deletion that is requested beside sign-ins', () => {
  test.each(rounds)('of every kind leaves no session that is open (%i)', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    const { secret, recoveryCodes } = await enrol(api, user);
    const { device } = await addPasskey(api, user);
    const { email, refreshToken } = user;
    const page = await new Browser(api).signIn('github', email);
    const code = page.searchParams.get('code');
    await call(api, 'auth.exchange', { body: { code } });
    const response = await signedForSignIn(api, device);
    const password = somePassword;
    const totp = nextTotp(secret, api);
    const recovery = { kind: 'recovery', code: recoveryCodes[0] };
    const second = { kind: 'recovery', code: recoveryCodes[1] };
    const attempts: (() => Promise<TestResponse>)[] = [
      () => call(api, 'auth.login', { body: { email, password, secondFactor: totp } }),
      () => call(api, 'auth.login', { body: { email, password, secondFactor: recovery } }),
      () => call(api, 'auth.loginWithPasskey', { body: { response } }),
      () => call(api, 'auth.exchangeWithSecondFactor', { body: { code, secondFactor: second } }),
      () => call(api, 'auth.refresh', { body: { refreshToken } }),
      () => call(api, 'auth.refresh', { body: { refreshToken: other.refreshToken } }),
    ];
    const [asked, ...responses] = await Promise.all([
      requestDeletion(api, user),
      ...attempts.map((attempt) => attempt()),
    ]);
    expect(asked.status).toBe(200);
    expect(await openSessions(user)).toBe(0);
    for (const { status, body } of responses) {
      expect([200, 400, 401]).toContain(status);
      const token = body.data?.token?.accessToken ?? body.data?.token;
      if (status === 200) expect((await call(api, 'auth.user', { token })).status).toBe(401);
    }
  });
});

describe('an address that nobody has proven', () => {
  test('can be neither deleted nor kept from its owner', async () => {
    const email = someEmail('unproven');
    const body = { email, password: somePassword };
    expect((await call(api, 'auth.register', { body })).status).toBe(201);
    expect((await signIn(email)).body.code).toBe('account_pending');
    const confirmation = { confirmation: email };
    expect((await call(api, 'account.requestDeletion', { body: confirmation })).status).toBe(401);
    // Its owner comes later, with a password of their own.
    const token = await resetTokenOf({ email });
    const reset = { body: { token, password: newPassword } };
    expect((await call(api, 'auth.resetPassword', reset)).status).toBe(200);
    expect((await signIn(email)).body.code).toBe('invalid_credentials');
    expect((await signIn(email, newPassword)).status).toBe(200);
  });

  test('counts for nothing in a session that was open before', async () => {
    const user = await newUser(api);
    await api.db.update(users).set({ accountStatus: 'PENDING' }).where(eq(users.id, user.id));
    expect((await requestDeletion(api, user)).status).toBe(401);
    expect(await rowOf(user)).toMatchObject({ accountStatus: 'PENDING', deletesAt: null });
  });
});
