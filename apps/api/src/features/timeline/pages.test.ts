import { describe, expect, test } from 'vitest';
import type { ActivityEntry } from '../../domain/activity.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { storeActivities } from '../../testing/activities.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { makePlatformAdministrator, storeTeam } from '../../testing/teams.ts';

const api = await setUpApi();
const [owner, operator] = await Promise.all([newUser(api), newUser(api)]);
const [team, otherTeam] = await Promise.all([storeTeam(api, owner), storeTeam(api, owner)]);
await makePlatformAdministrator(api, operator);

type Query = NonNullable<CallOptions['query']>;

const list = (as: TestUser, query: Query = {}, organizationId?: string) =>
  call(api, 'timeline.list', { token: as.token, query, ...(organizationId && { organizationId }) });
const store = (...entries: Partial<ActivityEntry>[]) =>
  storeActivities(
    api,
    entries.map((entry) => ({ actorId: owner.id, organizationId: team, ...entry })),
  );
const resourcesOf = (body: { data: { items: { resourceId: string }[] } }) =>
  body.data.items.map(({ resourceId }) => resourceId);

/** Every page by its cursor. */
async function walk(
  as: TestUser,
  query: Query,
  {
    organizationId,
    betweenPages,
  }: { organizationId: string; betweenPages?: () => Promise<unknown> },
) {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = { ...query, ...(cursor !== undefined && { cursor }) };
    const { status, body } = await list(as, page, organizationId);
    expect(status).toBe(200);
    seen.push(...resourcesOf(body));
    cursor = body.data.pagination.nextCursor;
    await betweenPages?.();
  } while (cursor !== undefined);
  return seen;
}

describe('filters', () => {
  test('`from` is inclusive, `to` is exclusive; days are in UTC', async () => {
    const ours = await storeTeam(api, owner);
    const timestamps = [
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00.000Z',
      '2026-02-01T23:59:59.999Z',
      '2026-02-02T00:00:00.000Z',
    ];
    await store(...timestamps.map((at) => ({ organizationId: ours, at: new Date(at) })));
    const found = async (query: Query) => {
      const { body } = await list(owner, query, ours);
      return body.data.items.map(({ createdAt }: { createdAt: string }) => createdAt).toReversed();
    };
    expect(await found({ from: '2026-02-01', to: '2026-02-02' })).toEqual(timestamps.slice(1, 3));
    expect(await found({ from: '2026-02-01T01:00:00+01:00' })).toEqual(timestamps.slice(1));
    expect(await found({ to: '2026-02-01T00:00:00.000Z' })).toEqual(timestamps.slice(0, 1));
    expect(await found({ from: '2026-02-02', to: '2026-02-01' })).toEqual([]);
    const { body } = await call(api, 'timeline.summary', {
      token: owner.token,
      organizationId: ours,
      query: { to: '2026-02-02' },
    });
    expect(body.data).toEqual({
      total: 3,
      byAction: { 'task.update': 3 },
      byDay: [
        { day: '2026-01-31', count: 1 },
        { day: '2026-02-01', count: 2 },
      ],
    });
  });

  test('for a type include all its actions, in order, on every page', async () => {
    const ours = await storeTeam(api, owner);
    const actions = [
      'task.create',
      'task.move',
      'project.create',
      'task.delete',
      'task.create',
    ] as const;
    const stored = await store(
      ...Array.from({ length: 4 }, () => actions)
        .flat()
        .map((action, index) => ({
          organizationId: ours,
          action,
          resourceType: action === 'project.create' ? ('project' as const) : ('task' as const),
          at: new Date(Date.UTC(2026, 0, 1, 0, index)),
        })),
    );
    const tasks = stored.filter((_, index) => index % 5 !== 2).toReversed();
    const query = { resourceType: 'task', limit: 3 };
    expect(await walk(owner, query, { organizationId: ours })).toEqual(tasks);
    const third = await list(owner, { ...query, page: 3 }, ours);
    expect(resourcesOf(third.body)).toEqual(tasks.slice(6, 9));
    expect(third.body.data.pagination).toMatchObject({ page: 3, total: 16, totalPages: 6 });
    const bounded = { ...query, from: '2026-01-01T00:05', to: '2026-01-01T00:10:00Z' };
    expect((await list(owner, bounded, ours)).status).toBe(400);
    const some = await list(owner, { ...bounded, from: '2026-01-01T00:05:00Z' }, ours);
    expect(some.body.data.pagination.total).toBe(4);
    expect((await list(operator, { resourceType: 'project', limit: 100 })).body.data.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ resourceId: stored[2] })]),
    );
    const none = await list(owner, { resourceType: 'task', action: 'project.create' }, ours);
    expect(none.body.data.pagination.total).toBe(0);
  });

  test.each<[string, Query, string]>([
    ['an action of no catalogue', { action: 'task.explode' }, 'action'],
    ['an action of SQL', { action: "task.update' or 1=1" }, 'action'],
    ['a type of no catalogue', { resourceType: 'secret' }, 'resourceType'],
    ['an actor that is no id', { actorId: 'me' }, 'actorId'],
    ['a resource in capitals', { resourceId: newId().toUpperCase() }, 'resourceId'],
    ['what is not a timestamp', { from: 'yesterday' }, 'from'],
    ['a day that is none', { to: '2026-02-30' }, 'to'],
    ['a year beyond', { to: '+012026-01-01T00:00:00Z' }, 'to'],
    ['an empty cursor', { cursor: '' }, 'cursor'],
    ['a page beside a cursor', { cursor: 'x', page: 2 }, 'page'],
    ['no limit', { limit: 0 }, 'limit'],
    ['a limit of 101', { limit: 101 }, 'limit'],
  ])('%s is a 400', async (_, query, path) => {
    const { status, body } = await list(owner, query, team);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors[0]).toMatchObject({ in: 'query', path: [path] });
  });
});

describe('pages', () => {
  test('lose and repeat nothing at equal timestamps, while rows are inserted', async () => {
    const ours = await storeTeam(api, owner);
    const at = new Date('2026-04-01T00:00:00.000Z');
    const stored = await store(...Array.from({ length: 25 }, () => ({ organizationId: ours, at })));
    const seen = await walk(
      owner,
      { limit: 4 },
      {
        organizationId: ours,
        betweenPages: () => store({ organizationId: ours }, { organizationId: otherTeam, at }),
      },
    );
    expect(seen.toSorted()).toEqual(stored.toSorted());
  });

  test('refuse a cursor that is forged or of another scope', async () => {
    const ours = await storeTeam(api, owner);
    await store(...Array.from({ length: 3 }, () => ({ organizationId: ours })));
    const { body } = await list(owner, { limit: 1 }, ours);
    const cursor: string = body.data.pagination.nextCursor;
    const readable = Buffer.from(JSON.stringify(['2020-01-01T00:00:00.000Z', newId()]));
    const altered = Buffer.from(cursor, 'base64url');
    altered.writeUInt8(altered.readUInt8(20) ^ 1, 20);
    const refused = [
      await list(owner, { cursor: readable.toString('base64url') }, ours),
      await list(owner, { cursor: cursor.slice(0, -4) }, ours),
      await list(owner, { cursor: altered.toString('base64url') }, ours),
      await list(owner, { cursor }, team),
      await list(operator, { cursor }),
      await call(api, 'timeline.mine', { token: owner.token, query: { cursor } }),
      await call(api, 'timeline.resource', {
        token: owner.token,
        params: { type: 'task', id: body.data.items[0].resourceId },
        query: { cursor },
        organizationId: ours,
      }),
    ];
    for (const { status, body: error } of refused) {
      expect([status, error.errors?.[0]?.code]).toEqual([400, 'invalid_cursor']);
    }
    // Callers with access to the same list can use its cursor.
    expect((await list(operator, { cursor }, ours)).body.data.items).toHaveLength(2);
  });
});
