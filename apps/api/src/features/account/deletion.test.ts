import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  accountActivities,
  apiKeys,
  memberships,
  sessions,
  users,
} from '../../db/generated/schema.ts';
import { deleteAccount } from '../../jobs/delete-account/delete-account.ts';
import { deletionDeps, requestDeletion } from '../../jobs/delete-account/testing.ts';
import {
  mailOf,
  mailsTo,
  newUser,
  nextMail,
  tokenIn,
  type TestUser,
} from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { openStream } from '../../testing/event-streams.ts';
import { invite } from '../../testing/invitations.ts';
import { runJobs, untilIdle } from '../../testing/library.ts';
import { operate } from '../../testing/operator.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const logInAgain = ({ email, password }: TestUser, wrong = '') =>
  call(api, 'auth.login', { body: { email, password: `${password}${wrong}` } });

async function statusOf({ id }: TestUser) {
  const [row] = await api.db.select().from(users).where(eq(users.id, id));
  return row?.accountStatus;
}

/** The token of the mail that was sent last. @param mails - how many have come by then */
const cancelToken = async (user: TestUser, mails = 2) => tokenIn(await nextMail(user.email, mails));
const cancel = (token: string) => call(api, 'account.cancelDeletion', { body: { token } });

describe('a request', () => {
  test('ends sessions, streams and keys at once, and only the right password learns why', async () => {
    const user = await newUser(api);
    const made = await call(api, 'apiKeys.create', {
      token: user.token,
      body: { name: 'Reader', preset: 'read-only', organizationIds: [user.organizationId] },
    });
    const { key } = made.body.data;
    const stream = await openStream(api, { token: key, organizationId: user.organizationId });
    const { status, body } = await requestDeletion(api, user);
    expect([status, body.message]).toEqual([200, 'Your account will be deleted']);
    const days = (Date.parse(body.data.deletesAt) - api.clock.now().getTime()) / 86_400_000;
    expect(days).toBeCloseTo(14, 2);

    expect((await call(api, 'auth.user', { token: user.token })).status).toBe(401);
    expect((await call(api, 'auth.user', { token: key })).status).toBe(401);
    await stream.closed();
    const refresh = { body: { refreshToken: user.refreshToken } };
    expect((await call(api, 'auth.refresh', refresh)).status).toBe(401);
    expect((await logInAgain(user)).body.code).toBe('account_deletion_pending');
    expect((await logInAgain(user, '!')).body.code).toBe('invalid_credentials');
    expect((await requestDeletion(api, user)).status).toBe(401);

    const mail = await nextMail(user.email, 2);
    expect(mail.subject).toBe('Your account will be deleted');
    // No reset mail: it would void the link, and change nothing.
    await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
    await call(api, 'auth.register', { body: { email: user.email, password: 'another password' } });
    await untilIdle(api);
    expect(await mailsTo(user.email)).toHaveLength(2);
    expect((await cancel(tokenIn(mail))).status).toBe(200);
    expect((await call(api, 'auth.user', { token: key })).status).toBe(200);
    expect((await logInAgain(user)).status).toBe(200);
  });

  test('needs the own email, and a session that was confirmed', async () => {
    const user = await newUser(api);
    const ask = (confirmation: string) =>
      call(api, 'account.requestDeletion', { token: user.token, body: { confirmation } });
    expect((await ask(someEmail())).body.code).toBe('confirmation_mismatch');
    expect((await ask('')).status).toBe(400);
    api.clock.advance({ seconds: 11 * 60 });
    expect((await ask(user.email)).body.code).toBe('confirmation_required');
    api.clock.advance({ seconds: -11 * 60 });
    expect(await statusOf(user)).toBe('VERIFIED');
  });

  test('names the teams that would have no owner; one who leaves is none', async () => {
    const [ada, bob, carl] = [await newUser(api), await newUser(api), await newUser(api)];
    const [alone, shared] = [await newTeam(api, ada, 'Alone'), await newTeam(api, ada, 'Shared')];
    const { memberId } = await joinTeam(api, shared.id, bob, 'OWNER');
    await joinTeam(api, alone.id, bob, 'ADMIN');
    await joinTeam(api, shared.id, carl, 'OWNER', 'SUSPENDED');
    const named = (id: string, message: string) => ({
      in: 'body',
      path: ['teams', id],
      code: 'last_owner',
      message,
    });
    const refused = await requestDeletion(api, ada);
    expect([refused.status, refused.body.errors]).toEqual([409, [named(alone.id, 'Alone')]]);
    expect((await requestDeletion(api, bob)).status).toBe(200);
    expect((await requestDeletion(api, ada)).body.errors).toEqual([
      named(alone.id, 'Alone'),
      named(shared.id, 'Shared'),
    ]);
    // Nor may the owner who stays go in another way.
    const own = await api.db
      .select()
      .from(memberships)
      .where(eq(memberships.organizationId, shared.id));
    const mine = own.find(({ userId }) => userId === ada.id);
    const leave = (id: string) =>
      call(api, 'organizations.removeMember', {
        token: ada.token,
        params: { id: shared.id, memberId: id },
      });
    expect((await leave(String(mine?.id))).body.code).toBe('last_owner');
    expect((await leave(memberId)).status).toBe(200);
  });

  test('counts no owner whom the operator has suspended, and does not wait for one who is later', async () => {
    const [ada, bob] = [await newUser(api), await newUser(api)];
    const { id } = await newTeam(api, ada, 'Of both');
    await joinTeam(api, id, bob, 'OWNER');
    const setStatus = (accountStatus: 'VERIFIED' | 'SUSPENDED') =>
      api.db.update(users).set({ accountStatus }).where(eq(users.id, bob.id));
    await setStatus('SUSPENDED');
    expect((await requestDeletion(api, ada)).body.code).toBe('last_owner');
    await setStatus('VERIFIED');
    expect((await requestDeletion(api, ada)).status).toBe(200);
    await setStatus('SUSPENDED');
    await deleteAccount(deletionDeps(api), ada.id);
    expect(await statusOf(ada)).toBe('DELETED');
  });

  test('of two owners at once leaves one of them', async () => {
    const [ada, bob] = [await newUser(api), await newUser(api)];
    const team = await newTeam(api, ada);
    await joinTeam(api, team.id, bob, 'OWNER');
    const responses = await Promise.all([requestDeletion(api, ada), requestDeletion(api, bob)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('ten times at once is one', async () => {
    const user = await newUser(api);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => requestDeletion(api, user)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(401)]);
    const rows = await api.db
      .select()
      .from(accountActivities)
      .where(eq(accountActivities.actorId, user.id));
    expect(rows.filter(({ action }) => action === 'user.request_deletion')).toHaveLength(1);
  });

  test('beside sign-ins leaves no session, and no provider signs in', async () => {
    const linked = await newUser(api);
    const page = await new Browser(api).signIn('google', linked.email);
    expect(page.searchParams.get('error')).toBeNull();
    const racing = Array.from({ length: 6 }, () => logInAgain(linked));
    const [asked] = await Promise.all([requestDeletion(api, linked), ...racing]);
    expect(asked.status).toBe(200);
    const rows = await api.db.select().from(sessions).where(eq(sessions.userId, linked.id));
    expect(rows.filter(({ endedAt }) => endedAt === null)).toEqual([]);
    const back = await new Browser(api).signIn('google', linked.email);
    expect(back.searchParams.get('error')).toBe('account_deletion_pending');
  });

  test('beside the acceptance of an invitation never leaves a member who is not removed', async () => {
    const [owner, guest] = [await newUser(api), await newUser(api)];
    const team = await newTeam(api, owner);
    const { token } = await invite(api, owner, { teamId: team.id, email: guest.email, mails: 2 });
    const accept = { token: guest.token, params: { token } };
    const [asked] = await Promise.all([
      requestDeletion(api, guest),
      call(api, 'organizations.acceptInvitation', accept),
    ]);
    expect(asked.status).toBe(200);
    expect((await call(api, 'organizations.acceptInvitation', accept)).status).toBe(401);
    await deleteAccount(deletionDeps(api), guest.id);
    const of = eq(memberships.userId, guest.id);
    expect(await api.db.$count(memberships, of)).toBe(0);
    expect(await statusOf(guest)).toBe('DELETED');
  });
});

describe('a deletion that waits', () => {
  test('is cancelled by its own token only, once, and not by one of another purpose', async () => {
    const user = await newUser(api);
    await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
    const reset = tokenIn(await nextMail(user.email, 2));
    await requestDeletion(api, user);
    const token = await cancelToken(user, 3);
    expect((await cancel(reset)).body.code).toBe('invalid_or_expired_token');
    expect((await cancel(`${token}x`)).status).toBe(400);
    const asReset = { body: { token, password: 'another horse battery' } };
    expect((await call(api, 'auth.resetPassword', asReset)).status).toBe(400);
    expect(await statusOf(user)).toBe('DELETION_PENDING');
    const responses = await Promise.all(Array.from({ length: 10 }, () => cancel(token)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(400)]);
    await mailOf(user.email, 'Your account is kept');
    await deleteAccount(deletionDeps(api), user.id);
    expect(await statusOf(user)).toBe('VERIFIED');
  });

  test('cancelled beside its start is either kept or deleted, as the response says', async () => {
    for (let round = 0; round < 3; round += 1) {
      const user = await newUser(api);
      await requestDeletion(api, user);
      const token = await cancelToken(user);
      const [{ status }] = await Promise.all([
        cancel(token),
        deleteAccount(deletionDeps(api), user.id),
      ]);
      expect(await statusOf(user)).toBe(status === 200 ? 'VERIFIED' : 'DELETED');
    }
  });

  test('begins when it is due, and not before; a clock that was set back changes nothing', async () => {
    const user = await newUser(api);
    await requestDeletion(api, user);
    await untilIdle(api);
    const day = 24 * 60 * 60;
    await runJobs(api, ['delete_due_accounts']);
    expect(await statusOf(user)).toBe('DELETION_PENDING');
    api.clock.advance({ seconds: 14 * day - 60 });
    await runJobs(api, ['delete_due_accounts']);
    expect(await statusOf(user)).toBe('DELETION_PENDING');
    api.clock.advance({ seconds: -60 * day });
    await runJobs(api, ['delete_due_accounts']);
    expect(await statusOf(user)).toBe('DELETION_PENDING');
    api.clock.advance({ seconds: 61 * day });
    await runJobs(api, ['delete_due_accounts']);
    expect(await statusOf(user)).toBe('DELETED');
    await mailOf(user.email, 'Your account is deleted');
    expect((await logInAgain(user)).body.code).toBe('invalid_credentials');
    api.clock.advance({ seconds: -15 * day });
  });

  test('is left alone by operators', async () => {
    const user = await newUser(api);
    await requestDeletion(api, user);
    for (const command of ['suspend', 'reinstate', 'grant-admin']) {
      const env = { DATABASE_URL: api.config.DATABASE_URL };
      const { exitCode, stderr } = await operate([command, user.email], env);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('asked for the deletion')]);
    }
    expect(await statusOf(user)).toBe('DELETION_PENDING');
    expect(await api.db.$count(apiKeys, eq(apiKeys.userId, user.id))).toBe(0);
  });
});

test('nobody can take the address that a deleted account gets', async () => {
  const user = await newUser(api);
  const email = `deleted-${user.id}@deleted.invalid`;
  const { status, body } = await call(api, 'auth.register', {
    body: { email, password: 'correct horse battery' },
  });
  expect([status, body.code]).toEqual([400, 'validation_failed']);
});
