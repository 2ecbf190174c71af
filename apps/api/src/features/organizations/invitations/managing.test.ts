import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, invitations } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { crowd, organizationRow } from '../../../testing/crowd.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call, someEmail } from '../../../testing/api.ts';
import { invite } from '../../../testing/invitations.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');

const list = (teamId: string, query: Record<string, string | number> = {}) =>
  call(api, 'organizations.listInvitations', {
    token: owner.token,
    params: { id: teamId },
    query,
  });
const revoke = (teamId: string, invitationId: string, token = owner.token) =>
  call(api, 'organizations.revokeInvitation', { token, params: { id: teamId, invitationId } });
const preview = (token: string) => call(api, 'organizations.getInvitation', { params: { token } });
const revocationsOf = (id: string) =>
  api.db
    .select()
    .from(activities)
    .where(and(eq(activities.resourceId, id), eq(activities.action, 'invitation.revoke')));

interface Listed {
  readonly email: string;
  readonly status: string;
}
const emailsIn = ({ body }: Awaited<ReturnType<typeof list>>) =>
  body.data.items.map(({ email }: Listed) => email);

/** Four invitations, one of each status, oldest first. */
async function teamWithEveryStatus() {
  const team = await newTeam(api, owner);
  const statuses = ['EXPIRED', 'REVOKED', 'ACCEPTED', 'PENDING'] as const;
  const now = api.clock.now().getTime();
  const rows = statuses.map((status, index) => ({
    organizationId: team.id,
    id: newId(),
    email: someEmail(`${status.toLowerCase()}_100%`),
    role: 'MEMBER' as const,
    status: status === 'EXPIRED' ? ('PENDING' as const) : status,
    invitedBy: owner.id,
    createdAt: new Date(now + index),
    expiresAt: new Date(status === 'EXPIRED' ? now : now + 60_000),
  }));
  await api.db.insert(invitations).values(rows);
  const of = (wanted: (typeof statuses)[number]) => {
    const row = rows[statuses.indexOf(wanted)];
    if (!row) throw new Error(`no row is ${wanted}`);
    return row;
  };
  return { team, rows, of };
}

describe('the list', () => {
  test('contains every invitation, newest first, with its current status', async () => {
    const { team, rows } = await teamWithEveryStatus();
    const { status, body } = await list(team.id);
    expect([status, body.message]).toEqual([200, 'Invitations retrieved']);
    expect(body.data.items.map((item: Listed) => [item.email, item.status])).toEqual([
      [rows[3]?.email, 'PENDING'],
      [rows[2]?.email, 'ACCEPTED'],
      [rows[1]?.email, 'REVOKED'],
      [rows[0]?.email, 'EXPIRED'],
    ]);
    expect(Object.keys(body.data.items[0])).toEqual([
      'id',
      'email',
      'role',
      'status',
      'expiresAt',
      'invitedBy',
      'organization',
    ]);
    expect(body.data.pagination).toMatchObject({ total: 4, totalPages: 1, hasNext: false });
  });

  test.each(['EXPIRED', 'REVOKED', 'ACCEPTED', 'PENDING'] as const)(
    'filters by %s',
    async (status) => {
      const { team, of } = await teamWithEveryStatus();
      const response = await list(team.id, { status });
      expect(emailsIn(response)).toEqual([of(status).email]);
      expect(response.body.data.pagination.total).toBe(1);
    },
  );

  test('an invitation is pending until its last millisecond, and then expired', async () => {
    const { team, of } = await teamWithEveryStatus();
    await api.db
      .update(invitations)
      .set({ expiresAt: new Date(api.clock.now().getTime() + 30_000) })
      .where(eq(invitations.id, of('PENDING').id));
    expect(emailsIn(await list(team.id, { status: 'PENDING' }))).toHaveLength(1);
    api.clock.advance({ seconds: 30 });
    expect(emailsIn(await list(team.id, { status: 'PENDING' }))).toEqual([]);
    expect(emailsIn(await list(team.id, { status: 'EXPIRED' }))).toHaveLength(2);
  });

  test('searches addresses literally and in any case', async () => {
    const { team, of } = await teamWithEveryStatus();
    expect(emailsIn(await list(team.id, { q: 'REVOKED_1' }))).toEqual([of('REVOKED').email]);
    expect(emailsIn(await list(team.id, { q: '_100%' }))).toHaveLength(4);
    expect(emailsIn(await list(team.id, { q: '%0_' }))).toEqual([]);
    expect(emailsIn(await list(team.id, { q: '_100%', status: 'REVOKED' }))).toHaveLength(1);
  });

  test('pages through every invitation once', async () => {
    const { team, rows } = await teamWithEveryStatus();
    const pages = await Promise.all([1, 2, 3].map((page) => list(team.id, { page, limit: 3 })));
    expect(pages.flatMap(emailsIn)).toEqual(rows.map(({ email }) => email).toReversed());
    expect(pages.map(({ body }) => body.data.pagination.hasNext)).toEqual([true, false, false]);
    expect(pages.map(({ body }) => body.data.pagination.total)).toEqual([4, 4, 4]);
  });

  test.each([{ status: 'DEAD' }, { limit: 0 }, { page: 'x' }, { q: 'x'.repeat(201) }])(
    'refuses %j',
    async (query) => {
      const team = await newTeam(api, owner);
      expect((await list(team.id, query)).body.code).toBe('validation_failed');
    },
  );

  test('contains nothing of another organization', async () => {
    await teamWithEveryStatus();
    const team = await newTeam(api, owner);
    const { body } = await list(team.id);
    expect([body.data.items, body.data.pagination.total]).toEqual([[], 0]);
    expect((await list(owner.organizationId)).body.data.items).toEqual([]);
  });
});

describe('revoking', () => {
  test('voids the link at once, and is a no-op when repeated or in parallel', async () => {
    const team = await newTeam(api, owner);
    const { id, token } = await invite(api, owner, {
      teamId: team.id,
      email: someEmail(),
      mails: 1,
    });
    expect((await preview(token)).status).toBe(200);
    const responses = await crowd(
      api,
      organizationRow(team.id),
      Array.from({ length: 10 }, () => () => revoke(team.id, id)),
    );
    for (const { status, body } of responses) {
      expect([status, body]).toEqual([200, { message: 'Invitation revoked', data: { id } }]);
    }
    expect((await preview(token)).body.code).toBe('invitation_gone');
    expect(await revocationsOf(id)).toEqual([
      expect.objectContaining({
        actorId: owner.id,
        organizationId: team.id,
        changes: [{ field: 'status', from: 'PENDING', to: 'REVOKED' }],
      }),
    ]);
  });

  test('is refused with 410 once the invitation was accepted or has expired', async () => {
    const { team, of } = await teamWithEveryStatus();
    for (const status of ['ACCEPTED', 'EXPIRED'] as const) {
      const { id } = of(status);
      const response = await revoke(team.id, id);
      expect([response.status, response.body.code]).toEqual([410, 'invitation_gone']);
      expect(await revocationsOf(id)).toEqual([]);
    }
    expect((await list(team.id, { status: 'REVOKED' })).body.data.pagination.total).toBe(1);
  });

  test('returns 404 for an unknown invitation and one of another organization', async () => {
    const { of } = await teamWithEveryStatus();
    const other = await newTeam(api, owner);
    for (const id of [newId(), of('PENDING').id]) {
      const response = await revoke(other.id, id);
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
    expect((await revoke(other.id, 'not-an-id')).status).toBe(400);
    const [row] = await api.db
      .select()
      .from(invitations)
      .where(eq(invitations.id, of('PENDING').id));
    expect(row?.status).toBe('PENDING');
  });

  test('is allowed to administrators, like the list', async () => {
    const { team, of } = await teamWithEveryStatus();
    const [admin, member] = await Promise.all([newUser(api), newUser(api)]);
    await joinTeam(api, team.id, admin, 'ADMIN');
    await joinTeam(api, team.id, member, 'MEMBER');
    const { id } = of('PENDING');
    expect((await revoke(team.id, id, member.token)).body.code).toBe('permission_denied');
    const seen = await call(api, 'organizations.listInvitations', {
      token: member.token,
      params: { id: team.id },
    });
    expect(seen.status).toBe(403);
    expect((await revoke(team.id, id, admin.token)).status).toBe(200);
  });
});
