// @module-tag slow

import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { emailChanges, identities, passkeys, users } from '../../db/generated/schema.ts';
import { requestDeletion } from '../../jobs/delete-account/testing.ts';
import {
  logIn,
  mailedTokenOf,
  mailsTo,
  newUser,
  nextMail,
  somePassword,
} from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { runJobs, untilIdle } from '../../testing/library.ts';
import { addPasskey, signInWithPasskey } from '../../testing/passkeys.ts';
import { setUpApi } from '../../testing/set-up.ts';
import {
  changeEmailOf,
  confirmTokenOf,
  emailChangesOf,
  newPassword,
  onceOfTwenty,
  recoverAccount,
  statusesOfTwenty,
  undoTokenOf,
} from './testing.ts';

const rootOfEmailChanges = someEmail('root-of-email-changes');
const api = await setUpApi({ ADMIN_EMAILS: rootOfEmailChanges });

const day = 24 * 60 * 60;
const again = newPassword;
const { ask, confirm, undo, signIn, requested, rowOf } = emailChangesOf(api);

describe('the former email', () => {
  test('is kept for 7 days from registrations, providers and other accounts', async () => {
    const [user, other] = [await newUser(api), await newUser(api)];
    await changeEmailOf(api, user, someEmail('away'));
    const { email } = user;
    await untilIdle(api);
    const mails = (await mailsTo(email)).length;
    const register = () => call(api, 'auth.register', { body: { email, password: again } });
    expect((await register()).status).toBe(201);
    const page = await new Browser(api).signIn('google', email);
    expect(page.searchParams.get('error')).toBe('email_changed');
    expect((await ask(other, email)).status).toBe(200);
    expect((await nextMail(email, mails + 1)).subject).toBe('This email is already in use');
    await untilIdle(api);
    expect(await mailsTo(email)).toHaveLength(mails + 1);
    expect(await api.db.$count(users, eq(users.email, email))).toBe(0);

    api.clock.advance({ seconds: 7 * day + 60 });
    expect((await register()).status).toBe(201);
    expect((await nextMail(email, mails + 2)).subject).toBe('Please verify your email');
    await runJobs(api, ['clean_up']);
    expect(await api.db.$count(emailChanges, eq(emailChanges.userId, user.id))).toBe(0);
    api.clock.advance({ seconds: -7 * day - 60 });
  });

  test('is never registered beside the change that gives it up', async () => {
    for (let round = 0; round < 3; round += 1) {
      const user = await newUser(api);
      const token = await requested(user);
      const racing = [1, 2, 3].map(() =>
        call(api, 'auth.register', { body: { email: user.email, password: again } }),
      );
      const [confirmed] = await Promise.all([confirm(token), ...racing]);
      expect(confirmed.status).toBe(200);
      expect(await api.db.$count(users, eq(users.email, user.email))).toBe(0);
      const back = await undoTokenOf(user.email);
      expect((await undo(back)).status).toBe(200);
    }
  });
});

describe('an undone change', () => {
  test('gives the account back once of twenty: email, sessions, password; and blocks changes for 7 days', async () => {
    const user = await newUser(api);
    const newEmail = someEmail('thief');
    const back = await changeEmailOf(api, user, newEmail);
    const thief = await logIn(api, { email: newEmail, password: somePassword });
    expect(await statusesOfTwenty(() => undo(back))).toEqual(onceOfTwenty);
    for (const token of [user.token, thief.token]) {
      expect((await call(api, 'auth.user', { token })).status).toBe(401);
    }
    for (const email of [user.email, newEmail]) {
      expect((await signIn(email)).body.code).toBe('invalid_credentials');
    }
    const notice = await nextMail(newEmail, 2);
    expect(notice.subject).toBe('A change of the email of an account was undone');
    const own = await recoverAccount(api, user.email);
    const blocked = await ask(own, newEmail);
    expect([blocked.status, blocked.body.code]).toEqual([409, 'email_change_blocked']);
    api.clock.advance({ seconds: 7 * day + 60 });
    const later = await logIn(api, { email: user.email, password: again });
    expect((await ask(later, someEmail())).status).toBe(200);
    api.clock.advance({ seconds: -7 * day - 60 });
  });

  test('is possible for 7 days, and by its own token only', async () => {
    const user = await newUser(api);
    const token = await requested(user);
    expect((await undo(token)).status).toBe(400);
    await confirm(token);
    const back = await undoTokenOf(user.email);
    expect((await confirm(back)).status).toBe(400);
    api.clock.advance({ seconds: 7 * day + 60 });
    expect((await undo(back)).body.code).toBe('invalid_or_expired_token');
    api.clock.advance({ seconds: -120 });
    expect((await undo(back)).status).toBe(200);
    api.clock.advance({ seconds: -7 * day + 60 });
  });

  test('is not buried by more changes, by their undoing, or by a clock that is set back', async () => {
    const user = await newUser(api);
    const [second, third] = [someEmail('second'), someEmail('third')];
    const first = await changeEmailOf(api, user, second);
    api.clock.advance({ seconds: -2 * day });
    const thief = await logIn(api, { email: second, password: somePassword });
    const later = await changeEmailOf(api, thief, third);
    const otherThief = await logIn(api, { email: third, password: somePassword });
    const last = await changeEmailOf(api, otherThief, someEmail('fourth'));
    expect((await undo(later)).body.data).toEqual({ email: second });
    expect((await undo(last)).status).toBe(400);
    expect((await undo(first)).body.data).toEqual({ email: user.email });
    // Nothing that the thief holds gives the account back to them.
    for (const token of [later, last, first]) expect((await undo(token)).status).toBe(400);
    expect((await rowOf(user)).email).toBe(user.email);
    await recoverAccount(api, user.email);
    api.clock.advance({ seconds: 2 * day });
  });

  test('wins over resets, deletions and changes that the thief has asked for', async () => {
    const user = await newUser(api);
    const newEmail = someEmail('thief');
    const back = await changeEmailOf(api, user, newEmail);
    await call(api, 'auth.requestPasswordReset', { body: { email: newEmail } });
    const reset = await mailedTokenOf(newEmail, 'How to reset your password');
    const pending = await requested({ ...user, email: newEmail });
    expect((await requestDeletion(api, { ...user, email: newEmail })).status).toBe(200);
    expect((await undo(back)).status).toBe(200);
    expect(await rowOf(user)).toMatchObject({ accountStatus: 'VERIFIED', deletesAt: null });
    expect((await confirm(pending)).status).toBe(400);
    const asReset = { body: { token: reset, password: again } };
    expect((await call(api, 'auth.resetPassword', asReset)).status).toBe(400);
    await recoverAccount(api, user.email);
  });

  test('takes the passkeys away that a thief may have added, and leaves older ones', async () => {
    const user = await newUser(api);
    const { device: own, passkey } = await addPasskey(api, user);
    const createdAt = new Date(api.clock.now().getTime() - 8 * day * 1000);
    await api.db.update(passkeys).set({ createdAt }).where(eq(passkeys.id, passkey.id));
    const { body } = await signInWithPasskey(api, own);
    const thief = { token: body.data.token.accessToken };
    const { device } = await addPasskey(api, thief);
    const newEmail = someEmail('thief');
    expect((await ask(thief, newEmail)).status).toBe(200);
    expect((await confirm(await confirmTokenOf(newEmail))).status).toBe(200);
    expect((await undo(await undoTokenOf(user.email))).status).toBe(200);
    expect((await signInWithPasskey(api, device)).body.code).toBe('passkey_invalid');
    const again = await signInWithPasskey(api, own);
    expect(again.status).toBe(200);
    const { token } = again.body.data;
    const overview = await call(api, 'security.overview', { token: token.accessToken });
    expect(overview.body.data.passkeys).toMatchObject([{ id: passkey.id }]);
  });

  test('beside a reset for the other mailbox leaves the thief without a password', async () => {
    for (let round = 0; round < 3; round += 1) {
      const user = await newUser(api);
      const newEmail = someEmail('racer');
      const back = await changeEmailOf(api, user, newEmail);
      await call(api, 'auth.requestPasswordReset', { body: { email: newEmail } });
      const token = await mailedTokenOf(newEmail, 'How to reset your password');
      const [undone] = await Promise.all([
        undo(back),
        call(api, 'auth.resetPassword', { body: { token, password: again } }),
      ]);
      expect(undone.status).toBe(200);
      expect((await signIn(user.email, again)).body.code).toBe('invalid_credentials');
      expect((await rowOf(user)).passwordHash).toBeNull();
    }
  });
});

describe('a provider', () => {
  test('signs in with the identity that is bound, and binds no other for 7 days', async () => {
    const user = await newUser(api);
    const newEmail = someEmail('linked');
    const errorOf = async (provider: 'google' | 'github', email: string) =>
      (await new Browser(api).signIn(provider, email)).searchParams.get('error');
    expect(await errorOf('google', user.email)).toBeNull();
    await changeEmailOf(api, user, newEmail);
    expect(await errorOf('google', user.email)).toBeNull();
    expect(await errorOf('github', newEmail)).toBe('email_changed');
    const bound = () => api.db.$count(identities, eq(identities.userId, user.id));
    expect(await bound()).toBe(1);
    api.clock.advance({ seconds: 7 * day + 60 });
    expect(await errorOf('github', newEmail)).toBeNull();
    expect(await bound()).toBe(2);
    api.clock.advance({ seconds: -7 * day - 60 });
  });

  test('makes no administrator of an account that has got the email of one', async () => {
    const user = await newUser(api);
    expect((await new Browser(api).signIn('google', user.email)).searchParams.get('error')).toBe(
      null,
    );
    await changeEmailOf(api, user, rootOfEmailChanges);
    const page = await new Browser(api).signIn('google', user.email);
    const code = page.searchParams.get('code') ?? '';
    expect((await call(api, 'auth.exchange', { body: { code } })).status).toBe(200);
    expect((await signIn(rootOfEmailChanges)).status).toBe(200);
    expect((await rowOf(user)).platformRole).toBe('USER');
    await call(api, 'auth.requestPasswordReset', { body: { email: rootOfEmailChanges } });
    await recoverAccount(api, rootOfEmailChanges);
    expect((await rowOf(user)).platformRole).toBe('ADMIN');
  });
});
