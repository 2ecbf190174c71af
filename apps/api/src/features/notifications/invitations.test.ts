import { Notification } from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { notifications } from '../../db/generated/schema.ts';
import { keepNotifications } from '../../jobs/notifications/keep.ts';
import { mailsTo, newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { inboxOf, unreadOf, untilEvents } from '../../testing/inboxes.ts';
import { invite } from '../../testing/invitations.ts';
import { newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');

async function invited(): Promise<{
  guest: TestUser;
  teamId: string;
  invitation: { id: string; token: string };
}> {
  const [team, guest] = [await newTeam(api, owner, 'Analytical Engines'), await newUser(api, 'g')];
  const { length } = await mailsTo(guest.email);
  const invitation = await invite(api, owner, {
    teamId: team.id,
    email: guest.email,
    mails: length + 1,
  });
  return { guest, teamId: team.id, invitation };
}

describe('an invitation to a known account', () => {
  test('is an entry without the link, and one mail', async () => {
    const { guest, teamId, invitation } = await invited();
    const { length } = await mailsTo(guest.email);
    const [entry] = await untilEvents(api, guest, 1);
    expect(Notification.parse(entry)).toMatchObject({
      reason: 'invited',
      organization: { id: teamId, name: 'Analytical Engines' },
      actor: { id: owner.id },
      subject: {
        type: 'invitation',
        id: invitation.id,
        title: 'Analytical Engines',
        link: null,
      },
      excerpt: null,
    });
    expect(await unreadOf(api, guest)).toBe(1);
    expect(await inboxOf(api, owner)).toEqual([]);
    const [row] = await api.db
      .select({ mail: notifications.mail })
      .from(notifications)
      .where(eq(notifications.userId, guest.id));
    expect(row).toEqual({ mail: null });
    expect(await mailsTo(guest.email)).toHaveLength(length);
  });

  test('that is renewed joins the entry', async () => {
    const { guest, teamId, invitation } = await invited();
    await untilEvents(api, guest, 1);
    const { length } = await mailsTo(guest.email);
    await invite(api, owner, { teamId, email: guest.email, role: 'VIEWER', mails: length + 1 });
    const entries = await untilEvents(api, guest, 2);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.subject.id).toBe(invitation.id);
  });

  test.for(['accepted', 'revoked', 'expired'] as const)(
    'that is %s is neither listed, counted nor marked, and removed',
    async (end) => {
      const { guest, teamId, invitation } = await invited();
      const [entry] = await untilEvents(api, guest, 1);
      if (end === 'accepted') {
        const { status } = await call(api, 'organizations.acceptInvitation', {
          token: guest.token,
          params: { token: invitation.token },
        });
        expect(status).toBe(200);
      } else if (end === 'revoked') {
        const { status } = await call(api, 'organizations.revokeInvitation', {
          token: owner.token,
          params: { id: teamId, invitationId: invitation.id },
        });
        expect(status).toBe(200);
      } else {
        await api.db.execute(
          `update invitations set expires_at = '2020-01-01' where id = '${invitation.id}'`,
        );
      }
      expect(await inboxOf(api, guest, { reason: 'invited' })).toEqual([]);
      expect(await unreadOf(api, guest)).toBe(0);
      const id = entry?.id ?? '';
      const mark = { token: guest.token, body: { ids: [id] } };
      const { body } = await call(api, 'notifications.read', mark);
      expect(body.data).toEqual({ changedCount: 0 });
      await keepNotifications({ db: api.db, clock: api.clock });
      const kept = await api.db.select().from(notifications).where(eq(notifications.id, id));
      expect(kept).toHaveLength(end === 'expired' ? 1 : 0);
    },
  );

  test('is nothing for another address', async () => {
    const { guest, invitation } = await invited();
    await untilEvents(api, guest, 1);
    await api.db.execute(
      `update invitations set email = 'other-${guest.id}@example.com' where id = '${invitation.id}'`,
    );
    expect(await inboxOf(api, guest)).toEqual([]);
    expect(await unreadOf(api, guest)).toBe(0);
  });
});
