import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { labels, taskLabels } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { newUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();

async function team() {
  const { id: organizationId } = await newTeam(api, user);
  const by = { token: user.token, organizationId };
  const create = (name: string, options: CallOptions = {}) =>
    call(api, 'labels.create', { ...by, body: { name, color: 'RED' }, ...options });
  const newLabel = async (name: string) => String((await create(name)).body.data.id);
  const update = (id: string, body: unknown, options: CallOptions = {}) =>
    call(api, 'labels.update', { ...by, params: { id }, body, ...options });
  const remove = (id: string, options: CallOptions = {}) =>
    call(api, 'labels.remove', { ...by, params: { id }, ...options });
  const get = (id: string, options: CallOptions = {}) =>
    call(api, 'labels.get', { ...by, params: { id }, ...options });
  const list = async (query = {}) => (await call(api, 'labels.list', { ...by, query })).body.data;
  const set = (id: string, labelIds: unknown, options: CallOptions = {}) =>
    call(api, 'labels.set', { ...by, params: { id }, body: { labelIds }, ...options });
  const task = (id: string, options: CallOptions = {}) =>
    call(api, 'tasks.get', { ...by, params: { id }, ...options });
  const projectId = await newProject(api, by);
  const newTask = () => insertTask(api, { organizationId, projectId, createdBy: user });
  const others = { by, organizationId, projectId };
  return { ...others, create, newLabel, update, remove, get, list, set, task, newTask };
}

const actionsOf = async (id: string) => (await activitiesOf(api, id)).map(({ action }) => action);
const carried = (labelId: string) =>
  api.db.select().from(taskLabels).where(eq(taskLabels.labelId, labelId));

describe('creating a label', () => {
  test('responds 201 with the label and records one activity', async () => {
    const { create, organizationId } = await team();
    const { status, body } = await create('  Bug ');
    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Label created',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        name: 'Bug',
        color: 'RED',
        taskCount: 0,
        createdBy: user.id,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: body.data.createdAt,
      },
    });
    expect(await activitiesOf(api, body.data.id)).toEqual([
      expect.objectContaining({
        action: 'label.create',
        actorId: user.id,
        organizationId,
        resourceType: 'label',
        resourceName: 'Bug',
        changes: [
          { field: 'name', from: null, to: 'Bug' },
          { field: 'color', from: null, to: 'RED' },
        ],
      }),
    ]);
  });

  test('refuses a name that another label of the organization has, in any case or width', async () => {
    const { create, list } = await team();
    await create('Änderung 1');
    for (const name of ['Änderung 1', 'änderung 1', 'ÄNDERUNG １', 'A\u0308nderung 1']) {
      const { status, body } = await create(name);
      expect([status, body.code]).toEqual([409, 'label_exists']);
    }
    expect((await list()).pagination.total).toBe(1);
    expect((await (await team()).create('Änderung 1')).status).toBe(201);
  });

  test('refuses invalid names and colours', async () => {
    const { by, list } = await team();
    for (const body of [
      {},
      { name: '', color: 'RED' },
      { name: ' ', color: 'RED' },
      { name: 'x'.repeat(41), color: 'RED' },
      { name: 'a\0b', color: 'RED' },
      { name: 'Bug' },
      { name: 'Bug', color: 'red' },
      { name: 'Bug', color: '#ff0000' },
    ]) {
      expect((await call(api, 'labels.create', { ...by, body })).status).toBe(400);
    }
    const { status } = await call(api, 'labels.create', {
      ...by,
      body: { name: '🐛'.repeat(40), color: 'RED' },
    });
    expect(status).toBe(201);
    expect((await list()).pagination.total).toBe(1);
  });

  test('refuses the 101st', async () => {
    const { create, remove, list, organizationId } = await team();
    const now = new Date();
    await api.db.insert(labels).values(
      Array.from({ length: 99 }, (_, index) => ({
        organizationId,
        id: newId(),
        name: `L${index}`,
        nameKey: `l${index}`,
        color: 'RED' as const,
        createdBy: user.id,
        createdAt: now,
        updatedAt: now,
      })),
    );
    const { status, body } = await create('Hundredth');
    expect(status).toBe(201);
    const refused = await create('One more');
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_labels']);
    await remove(body.data.id);
    expect((await create('One more')).status).toBe(201);
    expect((await list({ limit: '100' })).items).toHaveLength(100);
  });

  test('repeats the response under one idempotency key', async () => {
    const { create, list } = await team();
    const headers = { 'idempotency-key': newId() };
    const first = await create('Bug', { headers });
    const second = await create('Bug', { headers });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await list()).pagination.total).toBe(1);
  });
});

describe('the list of labels', () => {
  test('counts the tasks, sorts and searches', async () => {
    const { newLabel, set, newTask, list } = await team();
    const [ui, bug] = [await newLabel('UI'), await newLabel('bug')];
    await newLabel('100%');
    const tasks = [await newTask(), await newTask()];
    for (const task of tasks) await set(task, [bug]);
    await set(tasks[0] ?? '', [bug, ui]);
    const shown = async (query = {}) =>
      (await list(query)).items.map((label: { name: string; taskCount: number }) => [
        label.name,
        label.taskCount,
      ]);
    expect(await shown()).toEqual([
      ['100%', 0],
      ['bug', 2],
      ['UI', 1],
    ]);
    expect(await shown({ sort: '-taskCount' })).toEqual([
      ['bug', 2],
      ['UI', 1],
      ['100%', 0],
    ]);
    expect(await shown({ q: '%' })).toEqual([['100%', 0]]);
    expect(await shown({ sort: '-createdAt', limit: '1', page: '2' })).toEqual([['bug', 2]]);
  });
});

describe('changing a label', () => {
  test('renames and recolours it, everywhere', async () => {
    const { newLabel, update, set, newTask, task, get } = await team();
    const [id, taskId] = [await newLabel('Bug'), await newTask()];
    await set(taskId, [id]);
    const { status, body } = await update(id, { name: 'BUG', color: 'BLUE' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'BUG', color: 'BLUE', taskCount: 1 });
    expect((await get(id)).body.data).toEqual(body.data);
    expect((await task(taskId)).body.data.labels).toEqual([{ id, name: 'BUG', color: 'BLUE' }]);
    expect((await activitiesOf(api, id)).at(-1)?.changes).toEqual([
      { field: 'name', from: 'Bug', to: 'BUG' },
      { field: 'color', from: 'RED', to: 'BLUE' },
    ]);
  });

  test('changes and records nothing when nothing differs', async () => {
    const { newLabel, update, get } = await team();
    const id = await newLabel('Bug');
    const before = (await get(id)).body.data;
    for (const body of [{}, { name: ' Bug' }, { color: 'RED' }]) {
      expect((await update(id, body)).body.data).toEqual(before);
    }
    expect(await actionsOf(id)).toEqual(['label.create']);
  });

  test('refuses the name of another one', async () => {
    const { newLabel, update, get } = await team();
    await newLabel('UI');
    const id = await newLabel('Bug');
    const { status, body } = await update(id, { name: 'ui' });
    expect([status, body.code]).toEqual([409, 'label_exists']);
    expect((await get(id)).body.data.name).toBe('Bug');
  });

  test('takes the current ETag only; a task that gets it does not change that', async () => {
    const { newLabel, update, remove, get, set, newTask } = await team();
    const id = await newLabel('Bug');
    const headers = { 'if-match': String((await get(id)).headers.get('etag')) };
    await set(await newTask(), [id]);
    expect((await update(id, { color: 'BLUE' }, { headers })).status).toBe(200);
    const late = await update(id, { color: 'PINK' }, { headers });
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
    expect((await remove(id, { headers })).status).toBe(412);
    const seen = { 'if-none-match': String((await get(id)).headers.get('etag')) };
    expect((await get(id, { headers: seen })).status).toBe(304);
  });
});

describe('deleting a label', () => {
  test('removes it from its tasks and records one activity', async () => {
    const { newLabel, remove, set, newTask, task, get } = await team();
    const [bug, ui, taskId] = [await newLabel('Bug'), await newLabel('UI'), await newTask()];
    await set(taskId, [bug, ui]);
    expect(await remove(bug)).toMatchObject({ status: 200, body: { data: { id: bug } } });
    expect((await task(taskId)).body.data.labels).toEqual([{ id: ui, name: 'UI', color: 'RED' }]);
    expect((await get(bug)).status).toBe(404);
    expect((await remove(bug)).status).toBe(404);
    expect(await actionsOf(bug)).toEqual(['label.create', 'label.delete']);
    expect((await activitiesOf(api, bug)).at(-1)?.metadata).toEqual({ taskCount: 1 });
    expect(await actionsOf(taskId)).toEqual(['task.update']);
  });

  test('lets members delete their own, and viewers none', async () => {
    const { create, newLabel, remove, organizationId } = await team();
    const [member, viewer] = [await newUser(api), await newUser(api)];
    await joinTeam(api, organizationId, member, 'MEMBER');
    await joinTeam(api, organizationId, viewer, 'VIEWER');
    const foreign = await newLabel('Foreign');
    const own = String((await create('Own', { token: member.token })).body.data.id);
    const refused = await remove(foreign, { token: member.token });
    expect([refused.status, refused.body.code]).toEqual([403, 'permission_denied']);
    expect((await remove(own, { token: viewer.token })).status).toBe(403);
    expect((await remove(own, { token: member.token })).status).toBe(200);
  });
});

describe('the labels of a task', () => {
  test('are replaced, by name, with one activity for each change', async () => {
    const { newLabel, set, newTask, task, projectId } = await team();
    const [ui, bug, taskId] = [await newLabel('UI'), await newLabel('bug'), await newTask()];
    const { status, body } = await set(taskId, [ui, bug, ui]);
    expect(status).toBe(200);
    expect(body.data).toEqual((await task(taskId)).body.data);
    expect(body.data.labels.map(({ name }: { name: string }) => name)).toEqual(['bug', 'UI']);
    expect((await set(taskId, [bug, ui])).body.data.updatedAt).toBe(body.data.updatedAt);
    await set(taskId, [ui]);
    await set(taskId, []);
    expect(
      (await activitiesOf(api, taskId)).map(({ action, changes, metadata }) => ({
        action,
        changes,
        metadata,
      })),
    ).toEqual(
      [
        { from: [], to: ['bug', 'UI'], added: [ui, bug], removed: [] },
        { from: ['bug', 'UI'], to: ['UI'], added: [], removed: [bug] },
        { from: ['UI'], to: [], added: [], removed: [ui] },
      ].map(({ from, to, ...ids }) => ({
        action: 'task.update',
        changes: [{ field: 'labels', from, to }],
        metadata: { projectId, ...ids },
      })),
    );
  });

  test('are of the same organization, all or none', async () => {
    const [here, there] = [await team(), await team()];
    const [own, foreign] = [await here.newLabel('Own'), await there.newLabel('Foreign')];
    const taskId = await here.newTask();
    for (const id of [foreign, newId(), taskId]) {
      const { status, body } = await here.set(taskId, [own, id]);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await here.task(taskId)).body.data.labels).toEqual([]);
    expect(await actionsOf(taskId)).toEqual([]);
    expect((await here.set(await there.newTask(), [own])).status).toBe(404);
  });

  test('are at most ten', async () => {
    const { set, newTask } = await team();
    const taskId = await newTask();
    for (const ids of [Array.from({ length: 11 }, () => newId()), ['x'], 'x', null, undefined]) {
      expect((await set(taskId, ids)).status).toBe(400);
    }
  });

  test('are set with the current ETag of the task only', async () => {
    const { newLabel, set, newTask, task } = await team();
    const [id, taskId] = [await newLabel('Bug'), await newTask()];
    const headers = { 'if-match': String((await task(taskId)).headers.get('etag')) };
    expect((await set(taskId, [id], { headers })).status).toBe(200);
    const late = await set(taskId, [], { headers });
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  });

  test('filter both task lists, together with other filters and pages', async () => {
    const { newLabel, set, newTask, projectId, by } = await team();
    const [bug, ui] = [await newLabel('Bug'), await newLabel('UI')];
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) ids.push(await newTask());
    await set(ids[0] ?? '', [bug]);
    await set(ids[2] ?? '', [bug, ui]);
    await set(ids[3] ?? '', [ui]);
    const found = async (query: Record<string, string>) => {
      const all = await call(api, 'tasks.list', { ...by, query: { sort: 'createdAt', ...query } });
      const inProject = await call(api, 'tasks.listInProject', {
        ...by,
        params: { projectId },
        query: { sort: 'createdAt', ...query },
      });
      expect(inProject.body.data.items).toEqual(all.body.data.items);
      expect(all.body.data.pagination.total).toBe(inProject.body.data.pagination.total);
      return all.body.data;
    };
    const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
    expect(idsOf(await found({ labelId: bug }))).toEqual([ids[0], ids[2]]);
    expect(idsOf(await found({ labelId: bug, assigneeId: user.id }))).toEqual([]);
    expect(idsOf(await found({ labelId: newId() }))).toEqual([]);
    const page = (cursor = {}) =>
      call(api, 'tasks.list', {
        ...by,
        query: { sort: 'createdAt', labelId: ui, limit: '1', ...cursor },
      });
    const first = (await page()).body.data;
    expect([idsOf(first), first.pagination.total]).toEqual([[ids[2]], 2]);
    const { nextCursor } = first.pagination;
    expect(idsOf((await page({ cursor: nextCursor })).body.data)).toEqual([ids[3]]);
    expect(idsOf(await found({ labelId: ui, limit: '1', page: '2' }))).toEqual([ids[3]]);
    const shown = (await found({ labelId: bug })).items.at(-1)?.labels;
    expect(shown.map(({ name }: { name: string }) => name)).toEqual(['Bug', 'UI']);
  });

  test('go with their task', async () => {
    const { newLabel, set, newTask, by, get } = await team();
    const [id, taskId] = [await newLabel('Bug'), await newTask()];
    await set(taskId, [id]);
    await call(api, 'tasks.remove', { ...by, params: { id: taskId } });
    expect(await carried(id)).toEqual([]);
    expect((await get(id)).body.data.taskCount).toBe(0);
  });
});
