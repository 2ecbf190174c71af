import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, comments, projects, tasks } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();

const create = (body: unknown, options: CallOptions = {}) =>
  call(api, 'projects.create', { token: user.token, body, ...options });
const get = (id: string, options: CallOptions = {}) =>
  call(api, 'projects.get', { token: user.token, params: { id }, ...options });
const update = (id: string, body: unknown, options: CallOptions = {}) =>
  call(api, 'projects.update', { token: user.token, params: { id }, body, ...options });
const remove = (id: string, options: CallOptions = {}) =>
  call(api, 'projects.remove', { token: user.token, params: { id }, ...options });

const noTasks = {
  total: 0,
  byStatus: { BACKLOG: 0, TODO: 0, IN_PROGRESS: 0, IN_REVIEW: 0, DONE: 0, CANCELLED: 0 },
};

function activitiesOf(id: string) {
  return api.db
    .select()
    .from(activities)
    .where(eq(activities.resourceId, id))
    .orderBy(activities.id);
}

async function stored(id: string) {
  const [row] = await api.db.select().from(projects).where(eq(projects.id, id));
  return row;
}

async function newTeamOf(owner: TestUser) {
  const team = await newTeam(api, owner);
  return { token: owner.token, organizationId: team.id };
}

describe('creating a project', () => {
  test('responds 201 with the project at the end of the list, and records one activity', async () => {
    const team = await newTeamOf(user);
    await newProject(api, team);
    const { status, body } = await create({ name: '  Über uns ', description: ' kept ' }, team);
    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Project created',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        name: 'Über uns',
        description: ' kept ',
        key: 'UU',
        status: 'ACTIVE',
        position: 1,
        taskCounts: noTasks,
        createdBy: user.id,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: body.data.createdAt,
      },
    });
    expect(await activitiesOf(body.data.id)).toEqual([
      expect.objectContaining({
        action: 'project.create',
        actorId: user.id,
        organizationId: team.organizationId,
        resourceType: 'project',
        resourceName: 'Über uns',
        changes: [
          { field: 'name', from: null, to: 'Über uns' },
          { field: 'description', from: null, to: ' kept ' },
        ],
        metadata: { key: 'UU' },
      }),
    ]);
    expect((await get(body.data.id, team)).body.data).toEqual(body.data);
  });

  test.each([
    ['no name', {}, ['name']],
    ['a blank name', { name: ' \t ' }, ['name']],
    ['a name of 121 characters', { name: 'x'.repeat(121) }, ['name']],
    ['a name with NUL', { name: 'a\0' }, ['name']],
    [
      'a description of 5,001 characters',
      { name: 'x', description: 'y'.repeat(5001) },
      ['description'],
    ],
    ['a description that is a number', { name: 'x', description: 7 }, ['description']],
  ])('with %s is refused and stores nothing', async (_, body, path) => {
    const before = await api.db.$count(projects);
    const response = await create(body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(response.body.errors).toEqual([expect.objectContaining({ in: 'body', path })]);
    expect(await api.db.$count(projects)).toBe(before);
  });

  test('ignores unknown fields', async () => {
    const team = await newTeamOf(user);
    const { status, body } = await create(
      { name: 'x', id: newId(), key: 'EVIL', position: 0, status: 'ARCHIVED', createdBy: newId() },
      team,
    );
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ key: 'X1', status: 'ACTIVE', createdBy: user.id });
  });

  test('names of one letter, of none, and of the same words get distinct keys in their organization', async () => {
    const [one, other] = [await newTeamOf(user), await newTeamOf(user)];
    const keysIn = async (team: typeof one) => {
      const keys = [];
      for (const name of ['Website', 'Website', '東京', '—', '🦊', '***', '12']) {
        keys.push((await create({ name }, team)).body.data.key);
      }
      return keys;
    };
    const keys = ['WEB', 'WEB2', 'DON', 'PRJ', 'FOX', 'PRJ2', 'PRJ3'];
    expect(await keysIn(one)).toEqual(keys);
    expect(await keysIn(other)).toEqual(keys);
  });

  test('20 in parallel all succeed, with distinct keys and the positions 0 to 19', async () => {
    const team = await newTeamOf(user);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => create({ name: 'Website' }, team)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(responses.map(({ body }) => body.data.key)).size).toBe(20);
    expect(responses.map(({ body }) => body.data.position).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n),
    );
  });

  test('with an Idempotency-Key happens once', async () => {
    const team = await newTeamOf(user);
    const options = { ...team, headers: { 'idempotency-key': newId() } };
    const first = await create({ name: 'Once' }, options);
    const second = await create({ name: 'Once' }, options);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    const { organizationId } = team;
    expect(await api.db.$count(projects, eq(projects.organizationId, organizationId))).toBe(1);
  });
});

describe('the limit of the plan', () => {
  /** Inserts projects up to `count` as rows, with the ranks of a list that grows at its end. */
  async function fillUpTo(team: { organizationId: string }, count: number) {
    await api.db.execute(sql`
      insert into projects (organization_id, id, name, key, status, rank, created_by, created_at, updated_at)
      select ${team.organizationId}::uuid, gen_random_uuid(), 'Filler', 'F' || n, 'ACTIVE',
        'b' || lpad(n::text, 2, '0'), ${user.id}::uuid, now(), now()
      from generate_series(0, ${count - 1}::int) as n`);
  }
  const active = (team: { organizationId: string }) =>
    api.db.$count(
      projects,
      and(eq(projects.organizationId, team.organizationId), eq(projects.status, 'ACTIVE')),
    );

  test('is never exceeded by parallel creations and restorations', async () => {
    const team = await newTeamOf(user);
    const archived = await Promise.all(
      ['One', 'Two', 'Three'].map(async (name) => {
        const id = await newProject(api, team, name);
        expect((await update(id, { status: 'ARCHIVED' }, team)).status).toBe(200);
        return id;
      }),
    );
    await fillUpTo(team, 96);
    const responses = await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => create({ name: `New ${n}` }, team)),
      ...archived.map((id) => update(id, { status: 'ACTIVE' }, team)),
    ]);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 409)).toHaveLength(7);
    expect(statuses.filter((status) => status === 200 || status === 201)).toHaveLength(4);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: 'plan_limit_reached',
      message: 'The plan allows 100 for projects; this would make 101',
    });
    expect(await active(team)).toBe(100);
  });

  test('frees a place when a project is archived, and does not affect other changes', async () => {
    const team = await newTeamOf(user);
    const id = await newProject(api, team);
    await fillUpTo(team, 99);
    expect((await create({ name: 'One more' }, team)).status).toBe(409);
    expect((await update(id, { name: 'Renamed', status: 'ACTIVE' }, team)).status).toBe(200);
    expect((await update(id, { status: 'ARCHIVED' }, team)).status).toBe(200);
    expect((await create({ name: 'One more' }, team)).status).toBe(201);
    const back = await update(id, { name: 'Nope', status: 'ACTIVE' }, team);
    expect([back.status, back.body.code]).toEqual([409, 'plan_limit_reached']);
    expect(await stored(id)).toMatchObject({ name: 'Renamed', status: 'ARCHIVED' });
    expect((await activitiesOf(id)).map(({ action }) => action)).toEqual([
      'project.create',
      'project.update',
      'project.update',
    ]);
  });
});

describe('getting a project', () => {
  test('counts only its own tasks in every column', async () => {
    const team = await newTeamOf(user);
    const id = await newProject(api, team);
    const other = await newProject(api, team, 'Other');
    const { organizationId } = team;
    const statuses = ['BACKLOG', 'TODO', 'TODO', 'IN_PROGRESS', 'DONE', 'CANCELLED'] as const;
    for (const status of statuses) {
      await insertTask(api, { organizationId, projectId: id, createdBy: user, status });
    }
    await insertTask(api, { organizationId, projectId: other, createdBy: user, status: 'DONE' });
    const counts = {
      total: 6,
      byStatus: { BACKLOG: 1, TODO: 2, IN_PROGRESS: 1, IN_REVIEW: 0, DONE: 1, CANCELLED: 1 },
    };
    expect((await get(id, team)).body.data.taskCounts).toEqual(counts);
    const list = await call(api, 'projects.list', team);
    expect(list.body.data.items.map((item: { taskCounts: object }) => item.taskCounts)).toEqual([
      counts,
      { total: 1, byStatus: { ...noTasks.byStatus, DONE: 1 } },
    ]);
  });

  test('returns an ETag, and 304 when unchanged', async () => {
    const id = await newProject(api, user);
    const eTag = String((await get(id)).headers.get('etag'));
    const again = await get(id, { headers: { 'if-none-match': eTag } });
    expect([again.status, again.text]).toEqual([304, '']);
    await update(id, { name: 'Changed' });
    expect((await get(id, { headers: { 'if-none-match': eTag } })).status).toBe(200);
  });
});

describe('a project of another organization', () => {
  test('is not found: 404 for every operation, nothing changed', async () => {
    const stranger = await newUser(api);
    const team = await newTeamOf(user);
    const theirs = await newProject(api, team);
    const mine = await newProject(api, stranger);
    const as = { token: stranger.token };
    const responses = [
      await get(theirs, as),
      await update(theirs, { name: 'Mine now' }, as),
      await remove(theirs, as),
      await call(api, 'projects.move', { ...as, params: { id: theirs }, body: { position: 0 } }),
      await call(api, 'projects.move', { ...as, params: { id: mine }, body: { afterId: theirs } }),
      await get(theirs, { token: user.token }),
    ];
    for (const { status, body } of responses)
      expect([status, body.code]).toEqual([404, 'not_found']);
    expect(await stored(theirs)).toMatchObject({ name: 'Website' });
    const list = await call(api, 'projects.list', as);
    expect(list.body.data.items.map((item: { id: string }) => item.id)).toEqual([mine]);
    const denied = await call(api, 'projects.list', { ...as, organizationId: team.organizationId });
    expect([denied.status, denied.body.code]).toEqual([403, 'organization_access_denied']);
  });
});

describe('updating a project', () => {
  test('sets the given fields, clears null fields, keeps the key, and records each change', async () => {
    const { body } = await create({ name: 'Website', description: 'The public site' });
    const { id, key } = body.data;
    const renamed = await update(id, { name: ' Intranet ', status: 'ARCHIVED' });
    expect([renamed.status, renamed.body.message]).toEqual([200, 'Project updated']);
    expect(renamed.body.data).toMatchObject({
      name: 'Intranet',
      key,
      status: 'ARCHIVED',
      description: 'The public site',
    });
    const cleared = await update(id, { description: null });
    expect(cleared.body.data.description).toBeNull();
    expect((await get(id)).body.data).toEqual(cleared.body.data);
    expect((await activitiesOf(id)).slice(1)).toMatchObject([
      {
        action: 'project.update',
        resourceName: 'Intranet',
        changes: [
          { field: 'name', from: 'Website', to: 'Intranet' },
          { field: 'status', from: 'ACTIVE', to: 'ARCHIVED' },
        ],
      },
      { changes: [{ field: 'description', from: 'The public site', to: null }] },
    ]);
  });

  test.each([
    ['nothing', {}],
    ['what is so already', { name: 'Website', description: null, status: 'ACTIVE' }],
    ['fields that it does not have', { key: 'EVIL', position: 7, organizationId: newId() }],
  ])('to %s is a no-op without an activity', async (_, body) => {
    const id = await newProject(api, user);
    const before = await stored(id);
    expect((await update(id, body)).status).toBe(200);
    expect(await stored(id)).toEqual(before);
    expect(await activitiesOf(id)).toHaveLength(1);
  });

  test('with If-Match changes only what the caller has seen', async () => {
    const id = await newProject(api, user);
    const eTag = String((await get(id)).headers.get('etag'));
    const headers = { 'if-match': eTag };
    const responses = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => update(id, { name }, { headers })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    const stale = await remove(id, { headers });
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    const winner = responses.find(({ status }) => status === 200);
    const seen = { 'if-match': String(winner?.headers.get('etag')) };
    expect((await remove(id, { headers: seen })).status).toBe(200);
  });

  test.each([{ status: 'DELETED' }, { name: null }, { name: '' }, { description: 'x\ud800' }])(
    'to %j is refused',
    async (body) => {
      const id = await newProject(api, user);
      const before = await stored(id);
      expect((await update(id, body)).status).toBe(400);
      expect(await stored(id)).toEqual(before);
    },
  );
});

describe('deleting a project', () => {
  test('deletes its tasks and their comments, and no other’s', async () => {
    const team = await newTeamOf(user);
    const { organizationId } = team;
    const [gone, kept] = [await newProject(api, team), await newProject(api, team, 'Kept')];
    for (const projectId of [gone, kept]) {
      const taskId = await insertTask(api, { organizationId, projectId, createdBy: user });
      await api.db.insert(comments).values({
        organizationId,
        id: newId(),
        taskId,
        authorId: user.id,
        body: 'x',
        createdAt: new Date(),
      });
    }
    const { status, body } = await remove(gone, team);
    expect([status, body]).toEqual([200, { message: 'Project deleted', data: { id: gone } }]);
    expect((await get(gone, team)).status).toBe(404);
    expect((await remove(gone, team)).status).toBe(404);
    expect(await api.db.$count(tasks, eq(tasks.projectId, gone))).toBe(0);
    expect(await api.db.$count(comments, eq(comments.organizationId, organizationId))).toBe(1);
    expect((await get(kept, team)).body.data).toMatchObject({ position: 0 });
    expect((await activitiesOf(gone)).slice(1)).toMatchObject([
      { action: 'project.delete', resourceName: 'Website', metadata: { taskCount: 1 } },
    ]);
  });

  test('is allowed to its creator, an admin or an owner; changing it to every member but viewers', async () => {
    const team = await newTeamOf(user);
    const { organizationId } = team;
    const people = await Promise.all(
      (['ADMIN', 'MEMBER', 'VIEWER'] as const).map(async (role) => {
        const person = await newUser(api);
        await joinTeam(api, organizationId, person, role);
        return { token: person.token, organizationId };
      }),
    );
    const [admin, member, viewer] = people as [typeof team, typeof team, typeof team];
    const ownersProject = await newProject(api, team);
    const membersProject = await newProject(api, member);
    const another = await newProject(api, member);

    const refusals = [
      await remove(ownersProject, member),
      await remove(ownersProject, viewer),
      await update(ownersProject, { name: 'x' }, viewer),
      await create({ name: 'x' }, viewer),
      await call(api, 'projects.move', {
        ...viewer,
        params: { id: another },
        body: { position: 0 },
      }),
    ];
    for (const { status, body } of refusals) {
      expect([status, body.code]).toEqual([403, 'permission_denied']);
    }
    expect((await get(ownersProject, viewer)).status).toBe(200);
    expect((await update(ownersProject, { name: 'Ours' }, member)).status).toBe(200);
    expect((await remove(membersProject, member)).status).toBe(200);
    expect((await remove(ownersProject, admin)).status).toBe(200);
    expect((await remove(another, team)).status).toBe(200);
  });

  test('20 times in parallel happens once', async () => {
    const id = await newProject(api, user);
    const responses = await Promise.all(Array.from({ length: 20 }, () => remove(id)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(19);
    expect(await activitiesOf(id)).toHaveLength(2);
  });
});
