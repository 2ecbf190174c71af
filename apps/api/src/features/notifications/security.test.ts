import { Notification } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { notifications, organizations } from '../../db/generated/schema.ts';
import { enqueueSecurityNotice } from '../../domain/security-notices.ts';
import { newId } from '../../kernel/ids.ts';
import { logIn, mailsTo, newUser, somePassword, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { inboxOf, unreadOf } from '../../testing/inboxes.ts';
import { untilIdle } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const entriesOf = ({ id }: TestUser) =>
  api.db.select().from(notifications).where(eq(notifications.userId, id));

const enqueue = (payload: Record<string, unknown>) =>
  api.db.execute(
    sql`select graphile_worker.add_job('send_security_notice', ${JSON.stringify(payload)}::json)`,
  );

test('a change of the password is an entry for the one who made it, and one mail', async () => {
  const user = await newUser(api);
  const before = (await mailsTo(user.email)).length;
  const { status } = await call(api, 'security.changePassword', {
    token: user.token,
    body: { currentPassword: somePassword, newPassword: 'another horse battery' },
  });
  expect(status).toBe(200);
  await untilIdle(api);
  const [personal] = await api.db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.ownerId, user.id));
  const [entry, ...others] = await inboxOf(api, user, { reason: 'security' });
  expect(others).toEqual([]);
  expect(Notification.parse(entry)).toMatchObject({
    reason: 'security',
    organization: { id: personal?.id },
    actor: null,
    subject: {
      type: 'account',
      id: user.id,
      title: 'Your password was changed',
      link: '/settings/security',
    },
    eventCount: 1,
    activityId: null,
  });
  expect(await unreadOf(api, user)).toBe(1);
  expect((await entriesOf(user)).map(({ mail }) => mail)).toEqual([null]);
  expect(await mailsTo(user.email)).toHaveLength(before + 1);
});

test('a sign-in from a new device is an entry, each event has its own, and other people have none', async () => {
  const [user, other] = [await newUser(api), await newUser(api)];
  const body = { email: user.email, password: somePassword };
  for (const device of ['iPhone; CPU iPhone OS 18_1 like Mac OS X', 'Windows NT 10.0']) {
    const headers = { 'user-agent': `Mozilla/5.0 (${device}) Firefox/145.0` };
    expect((await call(api, 'auth.login', { body, headers })).status).toBe(200);
  }
  await untilIdle(api);
  const entries = await inboxOf(api, user, { reason: 'security' });
  const title = 'New sign-in to your account';
  expect(entries.map(({ subject, eventCount }) => [subject.title, eventCount])).toEqual([
    [title, 1],
    [title, 1],
  ]);
  expect(await unreadOf(api, user)).toBe(2);
  expect(await inboxOf(api, other)).toEqual([]);
});

test('a job that is repeated adds nothing, not even at the same time', async () => {
  const user = await newUser(api);
  const job = { userId: user.id, about: 'PASSKEY_ADDED', origin: null, notificationId: newId() };
  await Promise.all([enqueue(job), enqueue(job), enqueue(job)]);
  await untilIdle(api);
  await enqueue(job);
  await untilIdle(api);
  expect(await entriesOf(user)).toHaveLength(1);
});

test('an event that is rolled back is not told, nor one that a former release enqueued', async () => {
  const user = await newUser(api);
  const notice = { userId: user.id, about: 'TOTP_ENABLED' } as const;
  const undone = api.db.transaction(async (tx) => {
    await enqueueSecurityNotice(tx, notice, null);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await enqueue({ ...notice, origin: null });
  await untilIdle(api);
  expect(await entriesOf(user)).toEqual([]);
});

test('an email that is changed and a token that is used twice are entries', async () => {
  const user = await newUser(api);
  const add = (name: string, payload: Record<string, unknown>) =>
    api.db.execute(
      sql`select graphile_worker.add_job(${name}, ${JSON.stringify({ userId: user.id, notificationId: newId(), ...payload })}::json)`,
    );
  const origin = { device: 'Firefox', ipAddress: '192.0.2.1' };
  await add('send_email_undo', { step: 1, origin });
  await add('send_replay_notice', {});
  await untilIdle(api);
  const entries = await inboxOf(api, await logIn(api, user), { reason: 'security' });
  expect(entries.map(({ subject }) => subject.title).toSorted()).toEqual([
    'The email of your account was changed',
    'You were signed out on every device',
  ]);
});
