import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { tasks } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { activitiesOf } from '../../../testing/activities.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { newProject } from '../../../testing/board.ts';
import { crowd, crowdVariables, times } from '../../../testing/crowd.ts';
import { expectExactCounts } from '../../../testing/kept-counts.ts';
import { newTeam } from '../../../testing/organizations.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser(crowdVariables);

async function board() {
  const { id: organizationId } = await newTeam(api, user);
  const by = { token: user.token, organizationId };
  const projectId = await newProject(api, by);
  const create = (body: object, into = projectId) =>
    call(api, 'tasks.create', {
      ...by,
      params: { projectId: into },
      body: { title: 'A task', ...body },
    });
  const newTask = async (body: object = {}, into = projectId) =>
    String((await create(body, into)).body.data.id);
  const update = (id: string, body: object, options: CallOptions = {}) =>
    call(api, 'tasks.update', { ...by, params: { id }, body, ...options });
  const move = (id: string, body: object) =>
    call(api, 'tasks.move', { ...by, params: { id }, body });
  const remove = (id: string) => call(api, 'tasks.remove', { ...by, params: { id } });
  const get = async (id: string) =>
    (await call(api, 'tasks.get', { ...by, params: { id } })).body.data;
  const progress = async (id: string) => {
    const { subtaskCount, completedSubtaskCount } = await get(id);
    return [completedSubtaskCount, subtaskCount];
  };
  const list = async (query: object) => {
    const { body } = await call(api, 'tasks.list', {
      ...by,
      query: { sort: 'position', ...query },
    });
    return body.data.items.map(({ id }: { id: string }) => id);
  };
  return { by, projectId, create, newTask, update, move, remove, get, progress, list };
}

describe('a subtask', () => {
  test('is created below its task, shows it, and is found by it', async () => {
    const { create, newTask, get, list } = await board();
    const id = await newTask({ title: 'Website' });
    const { status, body } = await create({ title: 'Imprint', parentId: id });
    expect(status).toBe(201);
    expect(body.data.parent).toEqual({ id, number: 1, title: 'Website' });
    expect(await get(id)).toMatchObject({
      parent: null,
      subtaskCount: 1,
      completedSubtaskCount: 0,
    });
    expect(await list({ parentId: id })).toEqual([body.data.id]);
    expect(await list({ parentId: body.data.id })).toEqual([]);
    const [created] = await activitiesOf(api, body.data.id);
    expect(created?.metadata).toMatchObject({ parentId: id });
  });

  test('moves in and out of a task, with an activity for each change', async () => {
    const { newTask, update, get, progress } = await board();
    const [id, other, part] = [await newTask(), await newTask(), await newTask({ status: 'DONE' })];
    expect((await update(part, { parentId: id })).body.data.parent.id).toBe(id);
    expect(await progress(id)).toEqual([1, 1]);
    await update(part, { parentId: id });
    await update(part, { parentId: other });
    expect([await progress(id), await progress(other)]).toEqual([
      [0, 0],
      [1, 1],
    ]);
    await update(part, { parentId: null, title: 'Alone' });
    expect(await get(part)).toMatchObject({ parent: null, title: 'Alone' });
    expect(await progress(other)).toEqual([0, 0]);
    const changes = (await activitiesOf(api, part)).slice(1).map((one) => one.changes);
    expect(changes).toEqual([
      [{ field: 'parentId', from: null, to: id }],
      [{ field: 'parentId', from: id, to: other }],
      [
        { field: 'title', from: 'A task', to: 'Alone' },
        { field: 'parentId', from: other, to: null },
      ],
    ]);
  });

  test('counts as completed while it is in DONE, however it gets there', async () => {
    const { newTask, update, move, remove, progress } = await board();
    const id = await newTask();
    const [one, two] = [
      await newTask({ parentId: id }),
      await newTask({ parentId: id, status: 'DONE' }),
    ];
    expect(await progress(id)).toEqual([1, 2]);
    await update(one, { status: 'DONE' });
    expect(await progress(id)).toEqual([2, 2]);
    await move(two, { status: 'TODO', position: 0 });
    expect(await progress(id)).toEqual([1, 2]);
    await move(two, { status: 'DONE', position: 0 });
    await remove(one);
    expect(await progress(id)).toEqual([1, 1]);
    await expectExactCounts(api);
  });

  test('is refused where it would be a second level, in another project, or itself', async () => {
    const { by, create, newTask, update } = await board();
    const id = await newTask();
    const part = await newTask({ parentId: id });
    const [other, elsewhere] = [await newTask(), await newProject(api, by, 'Elsewhere')];
    const foreign = await newTask({}, elsewhere);
    for (const [taskId, parentId] of [
      [other, part],
      [other, other],
      [other, foreign],
      [id, other],
    ] as const) {
      const { status, body } = await update(taskId, { parentId });
      expect([status, body.code]).toEqual([400, 'invalid_parent']);
    }
    expect((await create({ parentId: part })).body.code).toBe('invalid_parent');
    expect((await create({ parentId: foreign })).body.code).toBe('invalid_parent');
    const others = await board();
    for (const parentId of [newId(), await others.newTask()]) {
      expect((await create({ parentId })).status).toBe(404);
      expect((await update(other, { parentId })).status).toBe(404);
    }
    expect(await activitiesOf(api, other)).toHaveLength(1);
  });

  test('becomes a task of its own when its task is deleted', async () => {
    const { newTask, remove, get } = await board();
    const id = await newTask();
    const parts = [await newTask({ parentId: id }), await newTask({ parentId: id })];
    await remove(id);
    for (const part of parts) expect((await get(part)).parent).toBeNull();
    const deleted = (await activitiesOf(api, id)).at(-1);
    expect(deleted?.metadata).toMatchObject({ subtaskIds: parts.toSorted() });
    await expectExactCounts(api);
  });

  test('changes neither the place of its task nor the If-Match of those who edit it', async () => {
    const { by, newTask, update, get } = await board();
    const id = await newTask();
    const { headers } = await call(api, 'tasks.get', { ...by, params: { id } });
    const before = await get(id);
    const part = await newTask({ parentId: id });
    await update(part, { status: 'DONE' });
    const { position, updatedAt } = await get(id);
    expect({ position, updatedAt }).toEqual({
      position: before.position,
      updatedAt: before.updatedAt,
    });
    const ifMatch = { headers: { 'if-match': String(headers.get('etag')) } };
    expect((await update(id, { title: 'Renamed' }, ifMatch)).status).toBe(200);
  });
});

test('in parallel, a task gets no more than 100 subtasks, and counts them all', async () => {
  const { projectId, newTask, create, update, progress } = await board();
  const id = await newTask();
  for (let index = 0; index < 95; index += 1) await newTask({ parentId: id, status: 'DONE' });
  const project = sql`select id from projects where id = ${projectId}`;
  const responses = await crowd(
    api,
    project,
    times(12, () => () => create({ parentId: id })),
  );
  const codes = responses.map(({ status, body }) => body.code ?? status);
  expect(codes.filter((code) => code === 201)).toHaveLength(5);
  expect(codes.filter((code) => code === 'too_many_subtasks')).toHaveLength(7);
  const late = await update(await newTask(), { parentId: id });
  expect([late.status, late.body.code]).toEqual([409, 'too_many_subtasks']);
  expect(await progress(id)).toEqual([95, 100]);
});

test('in parallel, two tasks never become subtasks of each other', async () => {
  const { projectId, newTask, update } = await board();
  const [one, two] = [await newTask(), await newTask()];
  const project = sql`select id from projects where id = ${projectId}`;
  const responses = await crowd(api, project, [
    () => update(one, { parentId: two }),
    () => update(two, { parentId: one }),
  ]);
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  const rows = await api.db.select().from(tasks).where(eq(tasks.projectId, projectId));
  expect(rows.filter(({ parentId }) => parentId !== null)).toHaveLength(1);
  await expectExactCounts(api);
});
