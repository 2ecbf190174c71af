// @module-tag slow

import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { accountActivities, emailChangeRequests, users } from '../../db/generated/schema.ts';
import { enqueueJobInPlace } from '../../domain/job-queue.ts';
import { newMailedToken } from '../../domain/mailed-tokens/new-token.ts';
import { replaceMailedToken } from '../../domain/mailed-tokens/queries.ts';
import { requestDeletion } from '../../jobs/delete-account/testing.ts';
import {
  logIn,
  mailedTokenOf,
  mailOf,
  mailsTo,
  newUser,
  nextMail,
  somePassword,
  type TestUser,
  tokenIn,
} from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { invite } from '../../testing/invitations.ts';
import { untilIdle } from '../../testing/library.ts';
import { operate } from '../../testing/operator.ts';
import { newTeam } from '../../testing/organizations.ts';
import { enrol } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';
import {
  changeEmailOf,
  emailChangesOf,
  newPassword,
  onceOfTwenty,
  statusesOfTwenty,
} from './testing.ts';

const api = await setUpApi();

const day = 24 * 60 * 60;
const again = newPassword;
const environment = { DATABASE_URL: api.config.DATABASE_URL };
const endSessions = ({ email }: TestUser) => operate(['end-sessions', email], environment);
const { ask, confirm, signIn, requested, rowOf } = emailChangesOf(api);

describe('a request', () => {
  test('gets the same response for a taken and a free email; only the mailboxes learn more', async () => {
    const [ada, bob] = [await newUser(api), await newUser(api)];
    const free = someEmail('free');
    const [toFree, toTaken] = [await ask(ada, free), await ask(ada, bob.email)];
    const shapeOf = ({ status, text }: typeof toTaken, email: string) => [
      status,
      text.replaceAll(email, '…'),
    ];
    expect(shapeOf(toTaken, bob.email)).toEqual(shapeOf(toFree, free));
    const mail = await nextMail(bob.email, 2);
    expect([mail.subject, mail.text.includes('http')]).toEqual([
      'This email is already in use',
      false,
    ]);
    await untilIdle(api);
    const [, ...toAda] = await mailsTo(ada.email);
    expect(toAda.map(({ subject }) => subject)).toEqual(
      Array(2).fill('Another email was requested'),
    );
    expect(toAda[0]?.text).toMatch(/It came from .+ at the address 127\.0\.0\.1\./);
    expect((await rowOf(ada)).email).toBe(ada.email);
  });

  test('needs a confirmed session, no key, and another email', async () => {
    const user = await newUser(api);
    const made = await call(api, 'apiKeys.create', {
      token: user.token,
      body: { name: 'All', preset: 'everything', organizationIds: [user.organizationId] },
    });
    const { key } = made.body.data;
    expect((await ask({ token: key }, someEmail())).body.code).toBe('key_refused');
    const own = await ask(user, user.email.toUpperCase());
    expect([own.status, own.body.errors[0].code]).toEqual([400, 'unchanged']);
    expect((await ask(user, `deleted-${user.id}@deleted.invalid`)).status).toBe(400);
    api.clock.advance({ seconds: 11 * 60 });
    expect((await ask(user, someEmail())).body.code).toBe('confirmation_required');
    api.clock.advance({ seconds: -11 * 60 });
  });

  test('replaces the one before, whose link proves no other mailbox', async () => {
    const user = await newUser(api);
    const first = await requested(user);
    const target = someEmail('target');
    const second = await requested(user, target);
    expect((await confirm(first)).body.code).toBe('invalid_or_expired_token');
    expect((await rowOf(user)).email).toBe(user.email);
    expect((await confirm(second)).body.data).toEqual({ email: target });
  });

  test.each<readonly [string, (user: TestUser) => Promise<unknown>]>([
    [
      'a reset of the password',
      async ({ email }) => {
        await call(api, 'auth.requestPasswordReset', { body: { email } });
        const token = await mailedTokenOf(email, 'How to reset your password');
        await call(api, 'auth.resetPassword', { body: { token, password: again } });
      },
    ],
    [
      'a change of the password',
      ({ token }) =>
        call(api, 'security.changePassword', {
          token,
          body: { currentPassword: somePassword, newPassword: again },
        }),
    ],
    [
      'the end of the session that asked, by another one',
      async (user) => {
        const listed = await call(api, 'sessions.list', { token: user.token });
        const { id } = listed.body.data.items.find(
          ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
        );
        const { token } = await logIn(api, user);
        expect((await call(api, 'sessions.end', { token, params: { id } })).status).toBe(200);
      },
    ],
    [
      'the end of all other sessions',
      async (user) => {
        const { token } = await logIn(api, user);
        expect((await call(api, 'sessions.endOthers', { token })).status).toBe(200);
      },
    ],
    [
      'a deletion, also when it is cancelled',
      async (user) => {
        await requestDeletion(api, user);
        const token = await mailedTokenOf(user.email, 'Your account will be deleted');
        await call(api, 'account.cancelDeletion', { body: { token } });
      },
    ],
    [
      'a suspension, also when it is over',
      async ({ email }) => {
        for (const command of ['suspend', 'reinstate'])
          await operate([command, email], environment);
      },
    ],
    ['the end of all sessions by an operator', endSessions],
    [
      'the same, if none is open',
      async (user) => {
        await call(api, 'auth.logout', { body: { refreshToken: user.refreshToken } });
        expect((await endSessions(user)).stdout).toContain('has no open session');
      },
    ],
    [
      'a reset of the second factor by an operator',
      async (user) => {
        await enrol(api, user);
        const { exitCode } = await operate(['reset-second-factor', user.email], environment);
        expect(exitCode).toBe(0);
      },
    ],
  ])('is void after %s', async (_what, end) => {
    const user = await newUser(api);
    const token = await requested(user);
    await end(user);
    expect((await rowOf(user)).accountStatus).toBe('VERIFIED');
    expect((await confirm(token)).body.code).toBe('invalid_or_expired_token');
    // A job that is late makes no new link.
    const job = { name: 'send_email_change', payload: { userId: user.id } } as const;
    await enqueueJobInPlace(api.db, `send_email_change:${user.id}`, job);
    await untilIdle(api);
    expect((await rowOf(user)).email).toBe(user.email);
    expect(await api.db.$count(emailChangeRequests, eq(emailChangeRequests.userId, user.id))).toBe(
      0,
    );
  });

  test('outlasts the end of other sessions, and logging out', async () => {
    const user = await newUser(api);
    const newEmail = someEmail('outlasting');
    const token = await requested(user, newEmail);
    await logIn(api, user);
    const ended = await call(api, 'sessions.endOthers', { token: user.token });
    expect(ended.body.data.endedCount).toBe(1);
    await call(api, 'auth.logout', { body: { refreshToken: user.refreshToken } });
    expect((await confirm(token)).body.data).toEqual({ email: newEmail });
  });

  test('ends after 24 hours, and a clock that was set back ends it no sooner', async () => {
    const user = await newUser(api);
    const token = await requested(user);
    api.clock.advance({ seconds: day + 60 });
    expect((await confirm(token)).status).toBe(400);
    api.clock.advance({ seconds: -3 * day });
    expect((await confirm(token)).status).toBe(200);
    api.clock.advance({ seconds: 2 * day - 60 });
  });
});

describe('a confirmed change', () => {
  test('works once of twenty, keeps the session that asked, and voids other links', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
    const reset = await mailedTokenOf(user.email, 'How to reset your password');
    const newEmail = someEmail('changed');
    const token = await requested(user, newEmail);
    expect(await statusesOfTwenty(() => confirm(token))).toEqual(onceOfTwenty);
    const me = await call(api, 'auth.user', { token: user.token });
    expect([me.status, me.body.data.email]).toEqual([200, newEmail]);
    expect((await call(api, 'auth.user', { token: other.token })).status).toBe(401);
    const refresh = { body: { refreshToken: other.refreshToken } };
    expect((await call(api, 'auth.refresh', refresh)).status).toBe(401);
    const asReset = { body: { token: reset, password: again } };
    expect((await call(api, 'auth.resetPassword', asReset)).status).toBe(400);
    expect((await signIn(user.email)).body.code).toBe('invalid_credentials');
    expect((await signIn(newEmail)).status).toBe(200);
    const recorded = await api.db
      .select()
      .from(accountActivities)
      .where(eq(accountActivities.actorId, user.id));
    const changes = recorded.filter(({ action }) => action === 'user.change_email');
    expect(changes.map(({ changes: of }) => of)).toEqual([
      [{ field: 'email', from: user.email, to: newEmail }],
    ]);
    const mail = await mailOf(user.email, 'The email of your account was changed');
    expect(mail.text).toMatch(/at the address 127\.0\.0\.1\./);
  });

  test('is refused for an email that was registered meanwhile, and of two accounts one gets it', async () => {
    const [ada, bob] = [await newUser(api), await newUser(api)];
    const registered = someEmail('registered');
    const late = await requested(ada, registered);
    await call(api, 'auth.register', { body: { email: registered, password: again } });
    expect((await confirm(late)).body.code).toBe('invalid_or_expired_token');
    expect((await rowOf(ada)).email).toBe(ada.email);
    for (let round = 0; round < 3; round += 1) {
      const wanted = someEmail('wanted');
      const first = await requested(ada, wanted);
      const mails = (await mailsTo(wanted)).length;
      expect((await ask(bob, wanted)).status).toBe(200);
      const second = tokenIn(await nextMail(wanted, mails + 1));
      const racing = [confirm(first), confirm(second)];
      const registering = call(api, 'auth.register', { body: { email: wanted, password: again } });
      const [one, two] = await Promise.all(racing);
      expect((await registering).status).toBe(201);
      const won = [one, two].filter((response) => response?.status === 200).length;
      expect(won).toBeLessThanOrEqual(1);
      const holders = await api.db.select().from(users).where(eq(users.email, wanted));
      expect(holders).toHaveLength(1);
      expect(holders[0]?.accountStatus).toBe(won === 1 ? 'VERIFIED' : 'PENDING');
    }
  });

  test('beside a deletion is changed, or deleted under the old email', async () => {
    const user = await newUser(api);
    const newEmail = someEmail('racing');
    const token = await requested(user, newEmail);
    const [confirmed, asked] = await Promise.all([confirm(token), requestDeletion(api, user)]);
    const row = await rowOf(user);
    expect([confirmed.status === 200, asked.status === 200]).toContain(true);
    expect(row.email).toBe(confirmed.status === 200 ? newEmail : user.email);
    if (asked.status === 200) expect((await confirm(token)).status).toBe(400);
  });

  test('leaves no use for a link that was on its way to the former mailbox', async () => {
    const user = await newUser(api);
    await changeEmailOf(api, user, someEmail('moved'));
    const { token, row } = newMailedToken(user, 'reset_password', api.clock.now());
    await replaceMailedToken(api.db, row);
    const reset = await call(api, 'auth.resetPassword', { body: { token, password: again } });
    expect(reset.body.code).toBe('invalid_or_expired_token');
  });

  test('leaves invitations with the addresses that they were sent to', async () => {
    const [owner, guest] = [await newUser(api), await newUser(api)];
    const newEmail = someEmail('guest');
    const [old, fresh] = [await newTeam(api, owner, 'Old'), await newTeam(api, owner, 'Fresh')];
    const toOld = await invite(api, owner, { teamId: old.id, email: guest.email, mails: 2 });
    await changeEmailOf(api, guest, newEmail);
    const mails = (await mailsTo(newEmail)).length + 1;
    const toNew = await invite(api, owner, { teamId: fresh.id, email: newEmail, mails });
    const accept = (token: string) =>
      call(api, 'organizations.acceptInvitation', { token: guest.token, params: { token } });
    expect((await accept(toOld.token)).body.code).toBe('invitation_email_mismatch');
    expect((await accept(toNew.token)).status).toBe(200);
  });
});
