import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { memberships, users } from '../../db/generated/schema.ts';
import type { ActivityEntry } from '../../domain/activity.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { storeActivities } from '../../testing/activities.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { makePlatformAdministrator, storeTeam } from '../../testing/teams.ts';

const api = await setUpApi();
const [owner, admin, member, viewer, rival, operator] = await Promise.all([
  newUser(api),
  newUser(api),
  newUser(api),
  newUser(api),
  newUser(api),
  newUser(api),
]);
const team = await storeTeam(api, owner, [
  { user: admin, role: 'ADMIN' },
  { user: member, role: 'MEMBER' },
  { user: viewer, role: 'VIEWER' },
]);
const rivalTeam = await storeTeam(api, rival, [{ user: member, role: 'MEMBER' }]);
await makePlatformAdministrator(api, operator);

type Query = NonNullable<CallOptions['query']>;
type TimelineOperation = 'timeline.mine' | 'timeline.list' | 'timeline.summary';

const ask = (id: TimelineOperation, as: TestUser, query: Query = {}, organizationId?: string) =>
  call(api, id, { token: as.token, query, ...(organizationId && { organizationId }) });
const list = (as: TestUser, query: Query = {}, organizationId?: string) =>
  ask('timeline.list', as, query, organizationId);
const ofResource = (
  as: TestUser,
  params: { type: string; id: string },
  { query = {}, organizationId }: { query?: Query; organizationId?: string } = {},
) =>
  call(api, 'timeline.resource', {
    token: as.token,
    params,
    query,
    ...(organizationId && { organizationId }),
  });

/** Writes activities of the team. @returns the ids of the resources */
const store = (...entries: Partial<ActivityEntry>[]) =>
  storeActivities(
    api,
    entries.map((entry) => ({ actorId: owner.id, organizationId: team, ...entry })),
  );

const resourcesOf = (body: { data: { items: { resourceId: string }[] } }) =>
  body.data.items.map(({ resourceId }) => resourceId);

describe('access', () => {
  test.each(['timeline.list', 'timeline.summary'] as const)(
    '%s: only leaders of the team and platform administrators have access',
    async (id) => {
      for (const leader of [owner, admin, operator]) {
        expect((await ask(id, leader, {}, team)).status).toBe(200);
      }
      for (const other of [member, viewer]) {
        const { status, body } = await ask(id, other, {}, team);
        expect([status, body.code]).toEqual([403, 'not_admin']);
      }
      for (const outsider of [rival, owner]) {
        const foreign = outsider === rival ? team : rivalTeam;
        const { status, body } = await ask(id, outsider, {}, foreign);
        expect([status, body.code]).toEqual([403, 'organization_access_denied']);
      }
      for (const organizationId of [undefined, owner.organizationId]) {
        const { status, body } = await ask(id, owner, {}, organizationId);
        expect([status, body.code]).toEqual([403, 'not_admin']);
      }
      expect((await call(api, id)).status).toBe(401);
    },
  );

  test('one resource: the same', async () => {
    const [id = ''] = await store({});
    for (const [as, expected] of [
      [owner, 200],
      [operator, 200],
      [member, 403],
      [viewer, 403],
      [rival, 403],
    ] as const) {
      const { status } = await ofResource(as, { type: 'task', id }, { organizationId: team });
      expect(status).toBe(expected);
    }
  });

  test('a demoted administrator is refused at once', async () => {
    const former = await newUser(api);
    const ours = await storeTeam(api, owner, [{ user: former, role: 'ADMIN' }]);
    expect((await list(former, {}, ours)).status).toBe(200);
    await api.db
      .update(memberships)
      .set({ role: 'MEMBER' })
      .where(eq(memberships.userId, former.id));
    expect((await list(former, {}, ours)).body.code).toBe('not_admin');
  });
});

describe('two organizations side by side', () => {
  test('no list, filter, count or summary of one includes a row of the other', async () => {
    const [ours, theirs] = await Promise.all([storeTeam(api, owner), storeTeam(api, rival)]);
    const shared = newId();
    const at = new Date('2026-03-01T12:00:00Z');
    const common = { actorId: member.id, resourceId: shared, at };
    await store(
      { ...common, organizationId: ours, resourceName: 'ours' },
      { ...common, organizationId: theirs, resourceName: 'theirs' },
      { ...common, organizationId: theirs, resourceName: 'theirs', action: 'task.delete' },
    );
    const filters: Query[] = [
      {},
      { action: 'task.update' },
      { action: 'task.delete' },
      { actorId: member.id },
      { resourceType: 'task' },
      { resourceId: shared },
      { resourceType: 'task', resourceId: shared },
      { resourceType: 'task', action: 'task.update', actorId: member.id },
      { from: '2026-03-01', to: '2026-03-02' },
    ];
    for (const query of filters) {
      for (const as of [owner, operator]) {
        const { body } = await list(as, query, ours);
        const expected = query['action'] === 'task.delete' ? [] : ['ours'];
        const names = body.data.items.map((row: { resourceName: string }) => row.resourceName);
        expect([query, names]).toEqual([query, expected]);
        expect(body.data.pagination.total).toBe(expected.length);
      }
    }
    const onlyOurs = {
      total: 1,
      byAction: { 'task.update': 1 },
      byDay: [{ day: '2026-03-01', count: 1 }],
    };
    for (const as of [owner, operator]) {
      const summary = await ask('timeline.summary', as, { resourceType: 'task' }, ours);
      expect(summary.body.data).toEqual(onlyOurs);
      const one = await ofResource(as, { type: 'task', id: shared }, { organizationId: ours });
      expect([one.body.data.pagination.total, one.body.data.items[0].resourceName]).toEqual([
        1,
        'ours',
      ]);
    }
    const everywhere = await ofResource(operator, { type: 'task', id: shared });
    expect(everywhere.body.data.pagination.total).toBe(3);
    const mine = await ask('timeline.mine', member, { resourceId: shared });
    expect(mine.body.data.pagination.total).toBe(3);
  });

  test('activities of accounts are visible only to them and to platform administrators', async () => {
    const query = { action: 'user.login', actorId: owner.id };
    const actions = (response: Awaited<ReturnType<typeof ask>>) =>
      response.body.data.items.map(({ action }: { action: string }) => action);
    expect(actions(await ask('timeline.mine', owner, query))).toEqual(['user.login']);
    expect(actions(await ask('timeline.mine', rival, query))).toEqual([]);
    expect(actions(await list(operator, query))).toEqual(['user.login']);
    expect(actions(await list(owner, query, team))).toEqual([]);
    expect(actions(await list(operator, query, team))).toEqual([]);
    const self = { type: 'user', id: owner.id };
    expect((await ofResource(owner, self, { organizationId: team })).body.data.items).toEqual([]);
    expect(actions(await ofResource(operator, self))).toContain('user.register');
    const { body } = await ask('timeline.summary', operator, { actorId: owner.id });
    expect(body.data.byAction).toMatchObject({ 'user.login': 1 });
    const narrowed = await ask('timeline.summary', operator, { actorId: owner.id }, rivalTeam);
    expect(narrowed.body.data).toEqual({ total: 0, byAction: {}, byDay: [] });
  });

  test('the caller’s own include every organization, whatever the header selects', async () => {
    const person = await newUser(api);
    const [here, there] = await store(
      { actorId: person.id, organizationId: team },
      { actorId: person.id, organizationId: rivalTeam },
    );
    for (const query of [{ resourceType: 'task' }, { action: 'task.update' }]) {
      const { body } = await ask('timeline.mine', person, query);
      expect(resourcesOf(body)).toEqual([there, here]);
    }
    const selected = await ask(
      'timeline.mine',
      person,
      { resourceType: 'task' },
      person.organizationId,
    );
    expect(resourcesOf(selected.body)).toEqual([there, here]);
    const other = await ask('timeline.mine', person, { actorId: owner.id });
    expect(other.body.data).toMatchObject({ items: [], pagination: { total: 0, totalPages: 0 } });
  });
});

describe('an activity', () => {
  test("is shown as it was written, with its actor's current name", async () => {
    const person = await newUser(api);
    const at = new Date('2026-02-03T04:05:06.789Z');
    const [resourceId = ''] = await store({
      actorId: person.id,
      resourceName: 'Brand pictures',
      changes: [{ field: 'title', from: null, to: { deep: ['x'] } }],
      metadata: { count: 2 },
      requestId: 'req_1',
      at,
    });
    await api.db
      .update(users)
      .set({ firstName: 'Ada', lastName: 'Lovelace' })
      .where(eq(users.id, person.id));
    const { body } = await ofResource(
      owner,
      { type: 'task', id: resourceId },
      { organizationId: team },
    );
    expect(body).toEqual({
      message: 'Activity retrieved',
      data: {
        items: [
          {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            action: 'task.update',
            actor: { id: person.id, name: 'Ada Lovelace' },
            organizationId: team,
            resourceType: 'task',
            resourceId,
            resourceName: 'Brand pictures',
            changes: [{ field: 'title', from: null, to: { deep: ['x'] } }],
            metadata: { count: 2 },
            requestId: 'req_1',
            createdAt: '2026-02-03T04:05:06.789Z',
          },
        ],
        pagination: { page: 1, limit: 20, total: 1, totalPages: 1, hasNext: false },
      },
    });
  });

  test('has no actor when the service made the change', async () => {
    const [resourceId = ''] = await store({ actorId: null });
    const { body } = await ofResource(
      owner,
      { type: 'task', id: resourceId },
      { organizationId: team },
    );
    expect(body.data.items).toEqual([expect.objectContaining({ actor: null })]);
  });

  test('does not exist for an unknown resource or one with another type', async () => {
    const [id = ''] = await store({});
    for (const resource of [
      { type: 'task', id: newId() },
      { type: 'project', id },
    ]) {
      const { status, body } = await ofResource(owner, resource, { organizationId: team });
      expect([status, body.data.items]).toEqual([200, []]);
    }
    const contradicting = { query: { resourceType: 'project' }, organizationId: team };
    expect((await ofResource(owner, { type: 'task', id }, contradicting)).body.data.items).toEqual(
      [],
    );
  });
});
