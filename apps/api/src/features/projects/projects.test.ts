import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { projects } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { insertTask, newProject, projectRequests } from '../../testing/board.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const { create, get, update, remove } = projectRequests(api, user);

const noTasks = {
  total: 0,
  byStatus: { BACKLOG: 0, TODO: 0, IN_PROGRESS: 0, IN_REVIEW: 0, DONE: 0, CANCELLED: 0 },
};

async function stored(id: string) {
  const [row] = await api.db.select().from(projects).where(eq(projects.id, id));
  return row;
}

describe('getting a project', () => {
  test('counts only its own tasks in every column', async () => {
    const team = await newTeamOf(api, user);
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
    const team = await newTeamOf(api, user);
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
    expect((await activitiesOf(api, id)).slice(1)).toMatchObject([
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
    expect(await activitiesOf(api, id)).toHaveLength(1);
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
