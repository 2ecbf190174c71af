import { Notification } from '@atelier/contract';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { memberships, notifications } from '../../db/generated/schema.ts';
import { logIn, mailsTo, newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { inboxOf, unreadOf, untilEvents } from '../../testing/inboxes.ts';
import { untilIdle } from '../../testing/library.ts';
import { joinTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { fail, setUpWebhooks } from '../../testing/webhooks.ts';

const api = await setUpApi();
const { user: owner, team } = await setUpWebhooks(api);

async function prefer(user: TestUser, setting: { inbox: boolean; mail: string }): Promise<void> {
  const digest = { frequency: 'DAILY', hour: 8, weekday: 1, timeZone: 'UTC' };
  const reasons = { integration_failing: setting };
  const body = { reasons, digest, organizations: {}, unsubscribed: {} };
  const { status } = await call(api, 'notifications.setPreferences', { token: user.token, body });
  expect(status).toBe(200);
}

const aboutWebhooks = async ({ email }: TestUser) =>
  (await mailsTo(email)).filter(({ subject }) => subject.startsWith('A webhook')).length;

const aboutKeys = async ({ email }: TestUser) =>
  (await mailsTo(email)).filter(({ subject }) => subject.startsWith('An API key')).length;

const mailOf = async ({ id }: TestUser) => {
  const rows = await api.db
    .select({ mail: notifications.mail })
    .from(notifications)
    .where(and(eq(notifications.userId, id), eq(notifications.reason, 'integration_failing')));
  return rows.map(({ mail }) => mail);
};

describe('a webhook that is disabled', () => {
  test('is told those who manage it, once, as each prefers', async () => {
    const { id: organizationId, receiver, newCollection, webhookId, get } = await team();
    const [admin, digested, member] = await Promise.all([
      newUser(api, 'admin'),
      newUser(api, 'digested'),
      newUser(api, 'member'),
    ]);
    const { memberId } = await joinTeam(api, organizationId, admin, 'ADMIN');
    await joinTeam(api, organizationId, digested, 'ADMIN');
    await joinTeam(api, organizationId, member, 'MEMBER');
    await prefer(digested, { inbox: true, mail: 'DIGEST' });
    receiver.respond(fail(410));
    await newCollection();
    await expect.poll(async () => (await get()).status).toBe('DISABLED');
    await untilIdle(api);
    const [entry] = await untilEvents(api, admin, 1);
    expect(Notification.parse(entry)).toMatchObject({
      reason: 'integration_failing',
      organization: { id: organizationId },
      actor: null,
      subject: {
        type: 'webhook',
        id: webhookId,
        title: new URL(receiver.url).host,
        link: `/settings/webhooks/${webhookId}`,
      },
      eventCount: 1,
    });
    await untilEvents(api, owner, 1);
    await untilEvents(api, digested, 1);
    expect(await inboxOf(api, member)).toEqual([]);
    expect([await mailOf(admin), await mailOf(digested)]).toEqual([[null], ['DIGEST']]);
    expect([await aboutWebhooks(admin), await aboutWebhooks(digested)]).toEqual([1, 0]);
    expect(await unreadOf(api, admin)).toBe(1);

    await api.db.update(memberships).set({ role: 'MEMBER' }).where(eq(memberships.id, memberId));
    expect([await inboxOf(api, admin), await unreadOf(api, admin)]).toEqual([[], 0]);
    await api.db.execute(sql`delete from webhooks where id = ${webhookId}`);
    expect([await inboxOf(api, digested), await unreadOf(api, digested)]).toEqual([[], 0]);
  });
});

describe('a key that ends', () => {
  const day = 24 * 3600;
  const look = async () => {
    await api.db.execute(sql`select graphile_worker.add_job('notice_expiring_keys', '{}'::json)`);
    await untilIdle(api);
  };

  test('is told its person at each step, and hidden when it is revoked', async () => {
    const [user, quiet] = [await newUser(api), await newUser(api)];
    await prefer(quiet, { inbox: true, mail: 'OFF' });
    const keys = [];
    for (const one of [user, quiet]) {
      const own = { preset: 'read-only', organizationIds: [one.organizationId], expiresInDays: 30 };
      keys.push(await makeKey(api, one, own));
    }
    api.clock.advance({ seconds: 23 * day + 60 });
    await Promise.all([look(), look()]);
    const reader = await logIn(api, user);
    const entries = () => inboxOf(api, reader, { reason: 'integration_failing' });
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      organization: { id: user.organizationId },
      subject: { type: 'api_key', id: keys[0]?.id, link: '/settings/api-keys' },
      eventCount: 1,
    });
    expect([await aboutKeys(user), await aboutKeys(quiet)]).toEqual([1, 0]);
    expect(await mailOf(quiet)).toEqual([null]);
    api.clock.advance({ seconds: 6 * day });
    await look();
    expect(await aboutKeys(user)).toBe(2);
    const again = await logIn(api, user);
    expect(await inboxOf(api, again, { reason: 'integration_failing' })).toHaveLength(2);
    const unread = await unreadOf(api, again);
    await api.db.execute(
      sql`update api_keys set revoked_at = now(), revoked_because = 'OWNER' where id = ${keys[0]?.id}`,
    );
    expect(await inboxOf(api, again, { reason: 'integration_failing' })).toEqual([]);
    expect(await unreadOf(api, again)).toBe(unread - 2);
  });
});
