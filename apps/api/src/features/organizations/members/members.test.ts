import type { Role } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { memberships } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { activitiesIn } from '../../../testing/activities.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const [owner, ada, grace, stranger] = await Promise.all([
  newUser(api, 'owner'),
  newUser(api, 'ada'),
  newUser(api, 'grace'),
  newUser(api, 'stranger'),
]);

interface Target {
  readonly id: string;
  readonly memberId: string;
}

const list = (id: string, query: NonNullable<CallOptions['query']> = {}, as = owner) =>
  call(api, 'organizations.listMembers', { token: as.token, params: { id }, query });
const update = (target: Target, body: unknown, as = owner, options: CallOptions = {}) =>
  call(api, 'organizations.updateMember', {
    token: as.token,
    params: { ...target },
    body,
    ...options,
  });
const remove = (target: Target, as = owner, options: CallOptions = {}) =>
  call(api, 'organizations.removeMember', { token: as.token, params: { ...target }, ...options });
const rowOf = async ({ memberId }: { memberId: string }) => {
  const [row] = await api.db.select().from(memberships).where(eq(memberships.id, memberId));
  return row;
};
const standingOf = async (target: Target) => {
  const row = await rowOf(target);
  return row && [row.role, row.status];
};
const ownersIdIn = async (id: string) => {
  const { items } = (await list(id, { role: 'OWNER' })).body.data;
  return { id, memberId: items[0].id };
};

/** A team of `owner` with one more member. */
async function teamWith(user: TestUser, role: Role, status: 'ACTIVE' | 'SUSPENDED' = 'ACTIVE') {
  const { id } = await newTeam(api, owner);
  return { id, ...(await joinTeam(api, id, user, role, status)) };
}

describe('updating a member', () => {
  test('returns the updated member, and records the changes', async () => {
    const team = await teamWith(ada, 'MEMBER');
    const { status, body } = await update(team, { role: 'VIEWER', status: 'SUSPENDED' });
    expect([status, body.message]).toEqual([200, 'Member updated']);
    const { items } = (await list(team.id, { role: 'VIEWER' })).body.data;
    expect(body.data).toEqual(items[0]);
    expect(body.data).toMatchObject({ id: team.memberId, role: 'VIEWER', status: 'SUSPENDED' });
    expect(await standingOf(team)).toEqual(['VIEWER', 'SUSPENDED']);
    expect(await activitiesIn(api, team.id)).toEqual([
      expect.objectContaining({
        action: 'member.update',
        actorId: owner.id,
        resourceType: 'member',
        resourceId: team.memberId,
        resourceName: ada.email.split('@')[0],
        changes: [
          { field: 'role', from: 'MEMBER', to: 'VIEWER' },
          { field: 'status', from: 'ACTIVE', to: 'SUSPENDED' },
        ],
        metadata: { userId: ada.id },
      }),
    ]);
  });

  test('is a no-op when unchanged', async () => {
    const team = await teamWith(ada, 'MEMBER');
    for (const body of [{}, { role: 'MEMBER' }, { role: 'MEMBER', status: 'ACTIVE' }]) {
      const response = await update(team, body);
      expect([response.status, response.body.data.role]).toEqual([200, 'MEMBER']);
    }
    const self = await update(await ownersIdIn(team.id), { role: 'OWNER', status: 'ACTIVE' });
    expect(self.status).toBe(200);
    expect(await activitiesIn(api, team.id)).toEqual([]);
  });

  test('a suspended member has no access until reinstated', async () => {
    const team = await teamWith(ada, 'ADMIN');
    const attempts = async () => {
      const byHeader = { token: ada.token, organizationId: team.id };
      return [
        (await call(api, 'collections.list', byHeader)).status,
        (await list(team.id, {}, ada)).status,
        (await update(team, { status: 'ACTIVE' }, ada)).status,
        (await remove(team, ada)).status,
      ];
    };
    expect((await update(team, { status: 'SUSPENDED' })).status).toBe(200);
    expect(await attempts()).toEqual([403, 404, 404, 404]);
    const own = (await call(api, 'organizations.list', { token: ada.token })).body.data.items;
    expect(own.map(({ id }: { id: string }) => id)).not.toContain(team.id);
    expect((await update(team, { status: 'ACTIVE' })).status).toBe(200);
    expect((await list(team.id, {}, ada)).status).toBe(200);
  });

  test('lets only owners decide about ownership', async () => {
    const team = await teamWith(ada, 'ADMIN');
    const member = { id: team.id, ...(await joinTeam(api, team.id, grace, 'MEMBER')) };
    const first = await ownersIdIn(team.id);
    const refusals = [
      [member, { role: 'OWNER' }],
      [team, { role: 'OWNER' }],
      [first, { role: 'ADMIN' }],
      [first, { status: 'SUSPENDED' }],
      [first, { role: 'OWNER' }],
      [first, {}],
    ] as const;
    for (const [target, body] of refusals) {
      const response = await update(target, body, ada);
      expect([response.status, response.body.code]).toEqual([403, 'permission_denied']);
    }
    expect(await activitiesIn(api, team.id)).toEqual([]);
    for (const role of ['ADMIN', 'VIEWER', 'MEMBER']) {
      expect((await update(member, { role }, ada)).status).toBe(200);
    }
    expect((await update(member, { role: 'OWNER' })).status).toBe(200);
    expect((await update(first, { role: 'MEMBER' }, grace)).status).toBe(200);
    expect(await standingOf(member)).toEqual(['OWNER', 'ACTIVE']);
    expect(await standingOf(first)).toEqual(['MEMBER', 'ACTIVE']);
  });

  test.each(['MEMBER', 'VIEWER'] as const)('is not for a %s', async (role) => {
    const team = await teamWith(ada, role);
    const { status, body } = await update(team, { role: 'ADMIN' }, ada);
    expect([status, body.code]).toEqual([403, 'permission_denied']);
    expect(await standingOf(team)).toEqual([role, 'ACTIVE']);
  });

  test.each([{ role: 'KING' }, { role: null }, { status: 'PENDING' }, { role: ['ADMIN'] }, 'x'])(
    'with %j is a 400',
    async (body) => {
      const team = await teamWith(ada, 'MEMBER');
      const response = await update(team, body);
      expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
      expect(await standingOf(team)).toEqual(['MEMBER', 'ACTIVE']);
    },
  );

  test('ignores fields that it does not declare', async () => {
    const team = await teamWith(ada, 'MEMBER');
    const before = await rowOf(team);
    const body = { userId: stranger.id, organizationId: newId(), id: newId(), joinedAt: '1970' };
    expect((await update(team, body)).status).toBe(200);
    expect(await rowOf(team)).toEqual(before);
  });
});

describe('removing a member', () => {
  test('ends their access at once, and records it', async () => {
    const team = await teamWith(ada, 'ADMIN');
    const { status, body } = await remove(team);
    expect([status, body]).toEqual([
      200,
      { message: 'Member removed', data: { id: team.memberId } },
    ]);
    expect(await rowOf(team)).toBeUndefined();
    expect((await list(team.id, {}, ada)).status).toBe(404);
    const byHeader = { token: ada.token, organizationId: team.id };
    expect((await call(api, 'collections.list', byHeader)).status).toBe(403);
    expect((await remove(team)).status).toBe(404);
    expect(await activitiesIn(api, team.id)).toEqual([
      expect.objectContaining({
        action: 'member.remove',
        actorId: owner.id,
        resourceType: 'member',
        resourceId: team.memberId,
        resourceName: ada.email.split('@')[0],
        changes: [{ field: 'role', from: 'ADMIN', to: null }],
        metadata: { userId: ada.id },
      }),
    ]);
  });

  test.each(['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const)(
    'is leaving for a %s',
    async (role) => {
      const team = await teamWith(ada, role);
      expect((await remove(team, ada)).status).toBe(200);
      expect(await rowOf(team)).toBeUndefined();
      expect((await activitiesIn(api, team.id))[0]).toMatchObject({ actorId: ada.id });
    },
  );

  test('is allowed to owners and administrators, and of owners to owners', async () => {
    const outcome = async (by: Role, whom: Role) => {
      const team = await teamWith(ada, by);
      const target = { id: team.id, ...(await joinTeam(api, team.id, grace, whom)) };
      const { status, body } = await remove(target, ada);
      expect((await rowOf(target)) === undefined).toBe(status === 200);
      expect(await activitiesIn(api, team.id)).toHaveLength(status === 200 ? 1 : 0);
      return status === 200 ? 'removed' : body.code;
    };
    for (const whom of ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const) {
      expect(await outcome('OWNER', whom)).toBe('removed');
      expect(await outcome('ADMIN', whom)).toBe(whom === 'OWNER' ? 'permission_denied' : 'removed');
      expect(await outcome('MEMBER', whom)).toBe('permission_denied');
      expect(await outcome('VIEWER', whom)).toBe('permission_denied');
    }
  });

  test('also removes a suspended one', async () => {
    const team = await teamWith(ada, 'MEMBER', 'SUSPENDED');
    expect((await remove(team)).status).toBe(200);
    expect(await rowOf(team)).toBeUndefined();
  });

  test('unassigns their tasks there, and keeps everything else', async () => {
    const team = await teamWith(ada, 'MEMBER');
    await joinTeam(api, team.id, grace, 'MEMBER');
    const elsewhere = await teamWith(ada, 'MEMBER');
    for (const { id } of [team, elsewhere]) await assignedTask(id, [ada, grace]);
    const made = await call(api, 'collections.create', {
      token: ada.token,
      organizationId: team.id,
      body: { title: 'Stays' },
    });
    expect((await remove(team)).status).toBe(200);
    const assigned = await api.db.execute(sql`
      select organization_id, user_id from task_assignees
      where organization_id in (${team.id}, ${elsewhere.id})`);
    expect(assigned.map((row) => [row.organization_id, row.user_id])).toEqual(
      expect.arrayContaining([
        [team.id, grace.id],
        [elsewhere.id, ada.id],
        [elsewhere.id, grace.id],
      ]),
    );
    expect(assigned).toHaveLength(3);
    const kept = await call(api, 'collections.get', {
      token: owner.token,
      organizationId: team.id,
      params: { id: made.body.data.id },
    });
    expect([kept.status, kept.body.data.createdBy]).toEqual([200, ada.id]);
    expect((await rowOf(elsewhere))?.userId).toBe(ada.id);
  });
});

async function assignedTask(organizationId: string, assignees: readonly TestUser[]) {
  const [projectId, taskId] = [newId(), newId()];
  await api.db.execute(sql`
    insert into projects (organization_id, id, name, key, status, rank, created_by, created_at, updated_at)
    values (${organizationId}, ${projectId}, 'p', 'P', 'ACTIVE', 'a0', ${owner.id}, now(), now())`);
  await api.db.execute(sql`
    insert into tasks (organization_id, id, project_id, number, title, status, priority, rank, created_by, created_at, updated_at)
    values (${organizationId}, ${taskId}, ${projectId}, 1, 't', 'TODO', 'NONE', 'a0', ${owner.id}, now(), now())`);
  for (const { id } of assignees) {
    await api.db.execute(sql`
      insert into task_assignees (organization_id, task_id, user_id, assigned_at)
      values (${organizationId}, ${taskId}, ${id}, now())`);
  }
}

describe.each([
  [
    'update',
    (target: Target, options: CallOptions) => update(target, { role: 'VIEWER' }, owner, options),
  ],
  [
    'suspend',
    (target: Target, options: CallOptions) =>
      update(target, { status: 'SUSPENDED' }, owner, options),
  ],
  ['remove', (target: Target, options: CallOptions) => remove(target, owner, options)],
] as const)('%s', (_, change) => {
  test('is refused for the last active owner, even with other members', async () => {
    const team = await teamWith(ada, 'OWNER', 'SUSPENDED');
    await joinTeam(api, team.id, grace, 'ADMIN');
    const { items } = (await list(team.id, { role: 'OWNER', status: 'ACTIVE' })).body.data;
    const last = { id: team.id, memberId: items[0].id };
    const { status, body } = await change(last, {});
    expect([status, body.code]).toEqual([409, 'last_owner']);
    expect(await standingOf(last)).toEqual(['OWNER', 'ACTIVE']);
    // A suspended owner does not count.
    expect((await change(team, {})).status).toBe(200);
    expect((await activitiesIn(api, team.id)).length).toBeLessThanOrEqual(1);
  });

  test('returns the same 404 for a membership of another organization and an unknown one', async () => {
    const team = await newTeam(api, owner);
    const foreign = await teamWith(ada, 'MEMBER');
    const theirs = await newTeam(api, stranger);
    const joined = await joinTeam(api, theirs.id, ada, 'MEMBER');
    for (const target of [
      { id: team.id, memberId: foreign.memberId },
      { id: team.id, memberId: joined.memberId },
      { id: team.id, memberId: newId() },
      { id: team.id, memberId: ada.id },
      { id: theirs.id, memberId: joined.memberId },
      { id: newId(), memberId: foreign.memberId },
    ]) {
      for (const headers of [{}, { 'if-match': '*' }]) {
        const { status, body } = await change(target, { headers });
        expect([status, body.code]).toEqual([404, 'not_found']);
      }
    }
    expect(await standingOf(foreign)).toEqual(['MEMBER', 'ACTIVE']);
    expect(await rowOf(joined)).toMatchObject({ role: 'MEMBER', status: 'ACTIVE' });
    expect((await change({ id: team.id, memberId: 'me' }, {})).status).toBe(400);
  });

  test('a member of a personal organization is a conflict', async () => {
    const id = owner.organizationId;
    const { items } = (await list(id)).body.data;
    for (const memberId of [items[0].id, newId()]) {
      const { status, body } = await change({ id, memberId }, {});
      expect([status, body.code]).toEqual([409, 'personal_organization']);
    }
    expect((await list(id)).body.data.items).toEqual(items);
  });

  test('with the If-Match of an earlier state is a 412 that changes nothing', async () => {
    const team = await teamWith(ada, 'MEMBER');
    const stale = (await update(team, {})).headers.get('etag');
    const current = (await update(team, { role: 'ADMIN' })).headers.get('etag');
    expect(stale).not.toBe(current);
    for (const eTag of [String(stale), '"x"', `W/${current}`]) {
      const { status, body } = await change(team, { headers: { 'if-match': eTag } });
      expect([status, body.code]).toEqual([412, 'precondition_failed']);
    }
    expect(await standingOf(team)).toEqual(['ADMIN', 'ACTIVE']);
    expect(await activitiesIn(api, team.id)).toHaveLength(1);
    const matching = await change(team, { headers: { 'if-match': String(current) } });
    expect(matching.status).toBe(200);
  });
});
