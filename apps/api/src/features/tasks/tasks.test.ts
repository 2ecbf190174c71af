import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, comments, projects, taskAssignees, tasks } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { changesOf } from '../../testing/activities.ts';
import { newUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newProject, newTask } from '../../testing/work.ts';

const api = await setUpApi();
const [user, stranger] = await Promise.all([newUser(api), newUser(api)]);

const create = (projectId: string, body: unknown, options: CallOptions = {}) =>
  call(api, 'tasks.create', { token: user.token, params: { projectId }, body, ...options });
const get = (id: string, options: CallOptions = {}) =>
  call(api, 'tasks.get', { token: user.token, params: { id }, ...options });
const update = (id: string, body: unknown, options: CallOptions = {}) =>
  call(api, 'tasks.update', { token: user.token, params: { id }, body, ...options });
const move = (id: string, body: unknown, options: CallOptions = {}) =>
  call(api, 'tasks.move', { token: user.token, params: { id }, body, ...options });
const assign = (id: string, assigneeIds: unknown, options: CallOptions = {}) =>
  call(api, 'tasks.assign', {
    token: user.token,
    params: { id },
    body: { assigneeIds },
    ...options,
  });
const remove = (id: string, options: CallOptions = {}) =>
  call(api, 'tasks.remove', { token: user.token, params: { id }, ...options });

const row = async (id: string) => {
  const [found] = await api.db.select().from(tasks).where(eq(tasks.id, id));
  return found;
};
/** After the creation, oldest first. */
const some = async () => newTask(api, user, { projectId: await newProject(api, user) });

describe('creating', () => {
  test('returns the task as it is stored and as a get shows it', async () => {
    const projectId = await newProject(api, user);
    const body = {
      title: '  Imprint  ',
      description: ' kept ',
      status: 'DONE',
      priority: 'HIGH',
      dueDate: '2026-12-01',
      assigneeIds: [user.id, user.id],
      number: 99,
      organizationId: stranger.organizationId,
      completedAt: null,
    };
    const response = await create(projectId, body);
    expect([response.status, response.body.message]).toEqual([201, 'Task created']);
    const task = response.body.data;
    expect(task).toEqual({
      id: expect.any(String),
      number: 1,
      projectId,
      organizationId: user.organizationId,
      title: 'Imprint',
      description: ' kept ',
      status: 'DONE',
      priority: 'HIGH',
      dueDate: '2026-12-01T00:00:00.000Z',
      assignees: [
        { id: user.id, displayName: expect.any(String), email: user.email, avatarUrl: null },
      ],
      labels: [],
      position: 0,
      commentCount: 0,
      attachmentCount: 0,
      parent: null,
      subtaskCount: 0,
      completedSubtaskCount: 0,
      completedAt: task.createdAt,
      createdBy: user.id,
      createdAt: expect.any(String),
      updatedAt: task.createdAt,
    });
    const shown = await get(task.id);
    expect([shown.status, shown.body.data]).toEqual([200, task]);
    expect(response.headers.get('etag')).toBe(shown.headers.get('etag'));
    const recorded = await api.db
      .select({ action: activities.action, metadata: activities.metadata })
      .from(activities)
      .where(eq(activities.resourceId, task.id));
    expect(recorded).toEqual([
      { action: 'task.create', metadata: { projectId, number: 1, assigneeIds: [user.id] } },
    ]);
  });

  test('appends to its column, with defaults for absent fields', async () => {
    const projectId = await newProject(api, user);
    await newTask(api, user, { projectId, status: 'BACKLOG' });
    await newTask(api, user, { projectId });
    const task = await newTask(api, user, { projectId });
    expect(task).toMatchObject({
      number: 3,
      position: 1,
      status: 'TODO',
      priority: 'NONE',
      description: null,
      dueDate: null,
      assignees: [],
      completedAt: null,
    });
  });

  test('fifty in parallel get the numbers 1 to 50 and the positions 0 to 49', async () => {
    const projectId = await newProject(api, user);
    const made = await Promise.all(
      Array.from({ length: 50 }, () => newTask(api, user, { projectId })),
    );
    const inOrder = made.toSorted((one, other) => one.number - other.number);
    expect(inOrder.map(({ number }) => number)).toEqual(made.map((_, index) => index + 1));
    expect(inOrder.map(({ position }) => position)).toEqual(made.map((_, index) => index));
  });

  test('a refused one leaves no gap in the numbers, a deleted one does', async () => {
    const projectId = await newProject(api, user);
    const [first, refused] = await Promise.all([
      newTask(api, user, { projectId }),
      create(projectId, { title: 'x', assigneeIds: [stranger.id] }),
    ]);
    expect([first.number, refused.status, refused.body.code]).toEqual([
      1,
      400,
      'assignee_not_member',
    ]);
    expect((await remove(first.id)).status).toBe(200);
    expect((await newTask(api, user, { projectId })).number).toBe(2);
  });

  test('in an unknown project or one of another organization is a 404', async () => {
    for (const projectId of [newId(), await newProject(api, stranger)]) {
      const response = await create(projectId, { title: 'x' });
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
  });

  test('an archived project rejects new tasks, but its tasks can be changed', async () => {
    const projectId = await newProject(api, user);
    const task = await newTask(api, user, { projectId });
    await api.db.update(projects).set({ status: 'ARCHIVED' }).where(eq(projects.id, projectId));
    const refused = await create(projectId, { title: 'x' });
    expect([refused.status, refused.body.code]).toEqual([409, 'project_archived']);
    expect((await update(task.id, { title: 'still', status: 'DONE' })).status).toBe(200);
    expect((await move(task.id, { status: 'TODO', position: 0 })).status).toBe(200);
    expect((await assign(task.id, [user.id])).status).toBe(200);
    expect((await remove(task.id)).status).toBe(200);
  });

  test.each([
    [{}],
    [{ title: '  ' }],
    [{ title: 'x'.repeat(256) }],
    [{ title: 'x', status: 'SOMEWHERE' }],
    [{ title: 'x', priority: 5 }],
    [{ title: 'x', dueDate: '2026-02-30' }],
    [{ title: 'x', dueDate: '2026-02-30T10:00:00Z' }],
    [{ title: 'x', dueDate: 'tomorrow' }],
    [{ title: 'x', description: 'x'.repeat(20_001) }],
    [{ title: 'x', description: 'nul\0' }],
    [{ title: 'x', assigneeIds: ['me'] }],
    [{ title: 'x', assigneeIds: Array.from({ length: 21 }, () => newId()) }],
  ])('refuses %j', async (body) => {
    const projectId = await newProject(api, user);
    const response = await create(projectId, body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(await api.db.select().from(tasks).where(eq(tasks.projectId, projectId))).toEqual([]);
  });

  test('with one idempotency key creates one task', async () => {
    const projectId = await newProject(api, user);
    const options = { headers: { 'idempotency-key': newId() } };
    const first = await create(projectId, { title: 'once' }, options);
    const again = await create(projectId, { title: 'once' }, options);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await newTask(api, user, { projectId })).number).toBe(2);
  });
});

describe('updating', () => {
  test('changes the given fields, and records their old values', async () => {
    const task = await some();
    const response = await update(task.id, {
      title: 'Changed',
      priority: 'URGENT',
      dueDate: '2027-01-01T12:00:00+02:00',
      projectId: newId(),
    });
    expect([response.status, response.body.message]).toEqual([200, 'Task updated']);
    expect(response.body.data).toEqual({
      ...task,
      title: 'Changed',
      priority: 'URGENT',
      dueDate: '2027-01-01T10:00:00.000Z',
      updatedAt: response.body.data.updatedAt,
    });
    expect(response.body.data.updatedAt > task.updatedAt).toBe(true);
    expect(await changesOf(api, task.id)).toEqual([
      {
        action: 'task.update',
        actorId: user.id,
        resourceName: 'Changed',
        changes: [
          { field: 'title', from: task.title, to: 'Changed' },
          { field: 'priority', from: 'NONE', to: 'URGENT' },
          { field: 'dueDate', from: null, to: '2027-01-01T10:00:00.000Z' },
        ],
        metadata: { projectId: task.projectId },
      },
    ]);
  });

  test('is a no-op when unchanged, without an activity', async () => {
    const task = await some();
    for (const body of [{}, { title: task.title, status: 'TODO', dueDate: null }]) {
      expect((await update(task.id, body)).body.data).toEqual(task);
    }
    expect(await changesOf(api, task.id)).toEqual([]);
  });

  test('null clears, and an activity keeps the beginning of a long description', async () => {
    const projectId = await newProject(api, user);
    const description = `a${'😀'.repeat(19_999)}`;
    const task = await newTask(api, user, { projectId, description, dueDate: '2026-12-01' });
    const cleared = await update(task.id, { description: null, dueDate: null });
    expect(cleared.body.data).toMatchObject({ description: null, dueDate: null });
    const [recorded] = await changesOf(api, task.id);
    expect(recorded?.changes).toEqual([
      { field: 'description', from: `a${'😀'.repeat(99)}`, to: null },
      { field: 'dueDate', from: '2026-12-01T00:00:00.000Z', to: null },
    ]);
  });

  test('a new status moves it to the end of that column; DONE has a timestamp until the task leaves it', async () => {
    const projectId = await newProject(api, user);
    const [first, second] = [
      await newTask(api, user, { projectId }),
      await newTask(api, user, { projectId }),
    ];
    await newTask(api, user, { projectId, status: 'DONE' });
    const done = (await update(first.id, { status: 'DONE' })).body.data;
    expect(done).toMatchObject({ position: 1, completedAt: done.updatedAt });
    expect((await get(second.id)).body.data.position).toBe(0);
    api.clock.advance({ seconds: 5 });
    const renamed = (await update(first.id, { title: 'still done', status: 'DONE' })).body.data;
    expect(renamed).toMatchObject({ position: 1, completedAt: done.completedAt });
    const back = (await update(first.id, { status: 'TODO' })).body.data;
    expect(back).toMatchObject({ position: 1, completedAt: null });
  });

  test.each([
    [{ dueDate: '2026-02-30' }],
    [{ title: null }],
    [{ status: null }],
    [{ priority: 'SOON' }],
  ])('refuses %j', async (body) => {
    const task = await some();
    const response = await update(task.id, body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect((await get(task.id)).body.data).toEqual(task);
  });
});

describe('removing', () => {
  test('deletes comments and assignees with it; the activity keeps the title', async () => {
    const task = await some();
    await assign(task.id, [user.id]);
    const { organizationId } = user;
    await api.db.insert(comments).values({
      id: newId(),
      taskId: task.id,
      authorId: user.id,
      body: 'x',
      createdAt: new Date(),
      organizationId,
    });
    expect((await get(task.id)).body.data.commentCount).toBe(1);
    const response = await remove(task.id);
    expect([response.status, response.body]).toEqual([
      200,
      { message: 'Task deleted', data: { id: task.id } },
    ]);
    expect(await row(task.id)).toBeUndefined();
    for (const table of [comments, taskAssignees]) {
      expect(await api.db.select().from(table).where(eq(table.taskId, task.id))).toEqual([]);
    }
    expect((await changesOf(api, task.id)).at(-1)).toMatchObject({
      action: 'task.delete',
      resourceName: task.title,
      metadata: { projectId: task.projectId, number: 1, commentCount: 1 },
    });
    expect((await get(task.id)).status).toBe(404);
    expect((await remove(task.id)).status).toBe(404);
  });

  test('in parallel happens once', async () => {
    const task = await some();
    const responses = await Promise.all(Array.from({ length: 10 }, () => remove(task.id)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(404)]);
    expect((await changesOf(api, task.id)).length).toBe(1);
  });
});

describe('every change', () => {
  const changes = [
    ['update', (id: string, options: CallOptions) => update(id, { title: 'New' }, options)],
    [
      'move',
      (id: string, options: CallOptions) => move(id, { status: 'DONE', position: 0 }, options),
    ],
    ['assign', (id: string, options: CallOptions) => assign(id, [user.id], options)],
    ['remove', remove],
  ] as const;

  test.each(changes)(
    '%s of a task that is foreign, unknown or deleted is a 404',
    async (_, change) => {
      const foreign = await newTask(api, stranger, { projectId: await newProject(api, stranger) });
      const deleted = await some();
      await remove(deleted.id);
      for (const id of [foreign.id, deleted.id, newId()]) {
        const response = await change(id, {});
        expect([response.status, response.body.code]).toEqual([404, 'not_found']);
      }
      expect((await get(foreign.id)).status).toBe(404);
      expect((await get(foreign.id, { token: stranger.token })).body.data).toEqual(foreign);
    },
  );

  test.each(changes)(
    '%s of a state that is no longer the current one is a 412',
    async (_, change) => {
      const task = await some();
      const stale = String((await get(task.id)).headers.get('etag'));
      const renamed = await update(task.id, { title: 'In between' });
      const refused = await change(task.id, { headers: { 'if-match': stale } });
      expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed']);
      expect((await get(task.id)).body.data).toEqual(renamed.body.data);
      expect((await changesOf(api, task.id)).length).toBe(1);
      const current = String(renamed.headers.get('etag'));
      expect((await change(task.id, { headers: { 'if-match': current } })).status).toBe(200);
    },
  );

  test.each(changes)('%s is not for viewers, who may read', async (_, change) => {
    const { id: organizationId } = await newTeam(api, user);
    await joinTeam(api, organizationId, stranger, 'VIEWER');
    const projectId = await newProject(api, user, { organizationId });
    const task = await newTask(api, user, { projectId, organizationId });
    const asViewer = { token: stranger.token, organizationId };
    const refused = await change(task.id, asViewer);
    expect([refused.status, refused.body.code]).toEqual([403, 'permission_denied']);
    expect((await create(projectId, { title: 'x' }, asViewer)).status).toBe(403);
    expect((await get(task.id, asViewer)).body.data).toEqual(task);
  });

  test.each(changes)(
    '%s while its project is deleted responds 200 or 404, and leaves nothing',
    async (_, change) => {
      const projectId = await newProject(api, user);
      const made = await Promise.all(
        Array.from({ length: 12 }, () => newTask(api, user, { projectId })),
      );
      const [, ...responses] = await Promise.all([
        api.db.delete(projects).where(eq(projects.id, projectId)),
        ...made.map((task) => change(task.id, {})),
        ...made.map(() => create(projectId, { title: 'late' })),
      ]);
      for (const response of responses) expect([200, 201, 404]).toContain(response.status);
      const mine = and(
        eq(tasks.organizationId, user.organizationId),
        eq(tasks.projectId, projectId),
      );
      expect(await api.db.select().from(tasks).where(mine)).toEqual([]);
      const left = await api.db.execute(
        sql`select 1 from column_sections where project_id = ${projectId}`,
      );
      expect(left.length).toBe(0);
    },
  );
});
