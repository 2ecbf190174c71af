// @module-tag slow

import { taskStatuses, type Task } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { projects, taskPriorities, tasks } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';
import { newProject, newTask } from '../../../testing/work.ts';
let projectIds: [string, string];
/** All tasks of the organization, as their own requests show them. */
let all: Task[];

// Tests change rows without activities.
const api = await setUpApi({ KNOWN_PAGES_MAX_BYTES: '0' });
const [user, member] = await Promise.all([newUser(api), newUser(api)]);
const organizationId = (await newTeam(api, user)).id;
beforeAll(async () => {
  await joinTeam(api, organizationId, member, 'VIEWER');
  projectIds = [
    await newProject(api, user, { organizationId, name: 'one' }),
    await newProject(api, user, { organizationId, name: 'two' }),
  ];
  // The project made last comes first.
  await rankProject(projectIds[0], 'b1');
  await rankProject(projectIds[1], 'a1');
  const made: string[] = [];
  for (let index = 0; index < 24; index += 1) made.push(await addTask(index));
  // Timestamps that several share.
  for (const [index, id] of made.entries()) {
    const createdAt = new Date(Date.UTC(2026, 0, 1 + (index % 4)));
    const updatedAt = new Date(Date.UTC(2026, 1, 1 + (index % 5)));
    await api.db.update(tasks).set({ createdAt, updatedAt }).where(eq(tasks.id, id));
  }
  all = await Promise.all(
    made.map(async (id) => {
      const { body } = await call(api, 'tasks.get', {
        token: user.token,
        params: { id },
        organizationId,
      });
      return body.data;
    }),
  );
  const other = await newUser(api);
  await newTask(api, other, { projectId: await newProject(api, other), title: 'Task of others' });
});

async function rankProject(id: string, rank: string) {
  await api.db.update(projects).set({ rank }).where(eq(projects.id, id));
}

async function addTask(index: number): Promise<string> {
  const task = await newTask(api, user, {
    projectId: index % 2 === 0 ? projectIds[0] : projectIds[1],
    organizationId,
    title: ['Draw 100%', 'draw_up', 'Écrire', 'Task', 'Zoo 😀'.repeat(30)][index % 5],
    status: taskStatuses[index % 4] ?? 'TODO',
    priority: taskPriorities[(index * 7) % 5],
    dueDate: index % 3 === 0 ? null : `2026-12-${String(10 + (index % 4))}`,
    assigneeIds: [[], [user.id], [member.id], [user.id, member.id]][index % 4],
  });
  return task.id;
}

type Query = Record<string, string | number>;
const list = (query: Query = {}, asker = user) =>
  call(api, 'tasks.list', { token: asker.token, organizationId, query });
const listInProject = (projectId: string, query: Query = {}) =>
  call(api, 'tasks.listInProject', {
    token: user.token,
    params: { projectId },
    organizationId,
    query,
  });

/** All pages, one after the other. */
async function collected(ask: (query: Query) => ReturnType<typeof list>, query: Query) {
  const items: Task[] = [];
  let next: Query | null = { ...query, limit: 5 };
  while (next) {
    const { status, body }: Awaited<ReturnType<typeof list>> = await ask(next);
    expect(status).toBe(200);
    items.push(...body.data.items);
    const { nextCursor, hasNext } = body.data.pagination;
    expect(hasNext).toBe(nextCursor !== undefined);
    next = nextCursor === undefined ? null : { ...query, limit: 5, cursor: nextCursor };
  }
  return items;
}

const projectOrder = (task: Task) => projectIds.toReversed().indexOf(task.projectId);
const statusOrder = (task: Task) => taskStatuses.indexOf(task.status);
const last = (direction: 1 | -1) => (direction === 1 ? '~' : '');
const keys: Record<string, (task: Task, direction: 1 | -1) => (string | number)[]> = {
  createdAt: (task) => [task.createdAt, task.id],
  updatedAt: (task) => [task.updatedAt, task.id],
  dueDate: (task, direction) => [task.dueDate ?? last(direction), task.id],
  priority: (task) => [taskPriorities.indexOf(task.priority), task.id],
  position: (task) => [projectOrder(task), statusOrder(task), task.position],
};

function compare(one: (string | number)[], other: (string | number)[]): number {
  const index = one.findIndex((value, place) => value !== other[place]);
  return index < 0 ? 0 : (one[index] ?? 0) < (other[index] ?? 0) ? -1 : 1;
}

function sorted(these: readonly Task[], sort: string): Task[] {
  const direction = sort.startsWith('-') ? -1 : 1;
  const key = keys[sort.replace('-', '')];
  if (!key) throw new Error(`No model of the order ${sort}`);
  return these.toSorted(
    (one, other) => direction * compare(key(one, direction), key(other, direction)),
  );
}

const sorts = Object.keys(keys).flatMap((by) => (by === 'position' ? [by] : [by, `-${by}`]));

describe('orders', () => {
  test.each(sorts)(
    '%s: cursors and pages show each task once, ties and nulls included',
    async (sort) => {
      const expected = sorted(all, sort);
      expect(await collected(list, { sort })).toEqual(expected);
      const pages = await Promise.all([1, 2, 3].map((page) => list({ sort, page, limit: 10 })));
      expect(pages.flatMap(({ body }) => body.data.items)).toEqual(expected);
      expect(pages[0]?.body.data.pagination).toMatchObject({ page: 1, total: 24, totalPages: 3 });
      const status = 'TODO';
      expect(await collected(list, { sort, status })).toEqual(
        expected.filter((task) => task.status === status),
      );
      const [projectId] = projectIds;
      const ofProject = expected.filter((task) => task.projectId === projectId);
      expect(await collected((query) => listInProject(projectId, query), { sort })).toEqual(
        ofProject,
      );
      expect(await collected(list, { sort, projectId })).toEqual(ofProject);
    },
  );

  test.each(['title', '-title'])('%s: as Postgres compares, each task once', async (sort) => {
    const found = await collected(list, { sort });
    const titles = found.map(({ title }) => title);
    expect(found.toSorted((one, other) => compare([one.id], [other.id]))).toEqual(
      all.toSorted((one, other) => compare([one.id], [other.id])),
    );
    // Equal titles are adjacent.
    expect(titles.filter((title, index) => title !== titles[index - 1]).length).toBe(5);
    const ids = found.filter(({ title }) => title === 'Task').map(({ id }) => id);
    expect(ids).toEqual(sort === 'title' ? ids.toSorted() : ids.toSorted().toReversed());
  });

  test('the default orders: the newest of the organization, the board of a project', async () => {
    expect((await list({ limit: 100 })).body.data.items).toEqual(sorted(all, '-createdAt'));
    const [projectId] = projectIds;
    expect((await listInProject(projectId, { limit: 100 })).body.data.items).toEqual(
      sorted(all, 'position').filter((task) => task.projectId === projectId),
    );
    expect((await list()).body.data.items.length).toBe(20);
  });

  test('continues from the cursor of a title with maximum length', async () => {
    const projectId = await newProject(api, user);
    for (const end of ['a', 'b', 'c']) {
      await newTask(api, user, { projectId, title: '😀'.repeat(254) + end });
    }
    const ask = (query: Query) =>
      call(api, 'tasks.list', { token: user.token, query: { ...query, limit: 1 } });
    expect((await collected(ask, { sort: 'title', projectId })).length).toBe(3);
  });

  test('no cursor reveals a rank, and none is valid for another list', async () => {
    const { body } = await list({ sort: 'position', limit: 2 });
    const cursor: string = body.data.pagination.nextCursor;
    const [row] = await api.db
      .select({ rank: projects.rank })
      .from(projects)
      .where(eq(projects.id, projectIds[1]));
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain(`"${row?.rank}"`);
    expect((await list({ sort: 'position', cursor })).status).toBe(200);
    const flipped = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    for (const query of [
      { cursor },
      { sort: 'position', status: 'TODO', cursor },
      { sort: 'position', cursor: flipped },
      { sort: 'position', cursor: 'A' },
      { sort: 'position', cursor, page: 2 },
    ]) {
      expect((await list(query)).status).toBe(400);
    }
  });

  test('a cursor is stable while tasks are added and removed around it', async () => {
    const projectId = await newProject(api, user);
    const made: Task[] = [];
    for (let index = 0; index < 4; index += 1) made.push(await newTask(api, user, { projectId }));
    const ask = (query: Query) =>
      call(api, 'tasks.listInProject', { token: user.token, params: { projectId }, query });
    const first = await ask({ limit: 2 });
    await call(api, 'tasks.remove', {
      token: user.token,
      params: { id: String(made[1]?.id) },
    });
    await newTask(api, user, { projectId, status: 'BACKLOG' });
    const rest = await ask({ cursor: first.body.data.pagination.nextCursor });
    expect(rest.body.data.items.map(({ id }: Task) => id)).toEqual([made[2]?.id, made[3]?.id]);
  });
});

describe('filters', () => {
  const assignedTo = (task: Task, id: string) => task.assignees.some((person) => person.id === id);
  const dueBefore = (timestamp: string) => (task: Task) =>
    task.dueDate !== null && task.dueDate < timestamp;

  test.each<[string, () => Query, (task: Task) => boolean]>([
    ['status', () => ({ status: 'DONE' }), (task) => task.status === 'DONE'],
    ['priority', () => ({ priority: 'NONE' }), (task) => task.priority === 'NONE'],
    ['assignee', () => ({ assigneeId: member.id }), (task) => assignedTo(task, member.id)],
    ['assignee me', () => ({ assigneeId: 'me' }), (task) => assignedTo(task, user.id)],
    ['project', () => ({ projectId: projectIds[1] }), (task) => task.projectId === projectIds[1]],
    [
      'due date, exclusive',
      () => ({ dueBefore: '2026-12-11' }),
      dueBefore('2026-12-11T00:00:00.000Z'),
    ],
    [
      'due time with an offset',
      () => ({ dueBefore: '2026-12-11T01:00:00.001+01:00' }),
      dueBefore('2026-12-11T00:00:00.001Z'),
    ],
    ['title in any case', () => ({ q: 'DRAW' }), (task) => /draw/i.test(task.title)],
    ['title with %', () => ({ q: '0%' }), (task) => task.title.includes('0%')],
    ['title with _', () => ({ q: 'w_u' }), (task) => task.title === 'draw_up'],
    ['title with \\', () => ({ q: '\\' }), () => false],
    [
      'all at once',
      () => ({
        status: 'TODO',
        assigneeId: 'me',
        projectId: projectIds[1],
        q: 'a',
        priority: 'LOW',
      }),
      (task) =>
        task.status === 'TODO' &&
        task.priority === 'LOW' &&
        task.projectId === projectIds[1] &&
        assignedTo(task, user.id) &&
        task.title.includes('a'),
    ],
  ])('%s', async (_, query, matches) => {
    const expected = sorted(all, '-createdAt').filter(matches);
    expect(expected.length).toBeLessThan(24);
    const { body } = await list({ ...query(), limit: 100 });
    expect(body.data.items).toEqual(expected);
    expect(body.data.pagination.total).toBe(expected.length);
    expect(await collected(list, query())).toEqual(expected);
  });

  test('`me` is the caller', async () => {
    const { body } = await list({ assigneeId: 'me', limit: 100 }, member);
    expect(body.data.items).toEqual(
      sorted(all, '-createdAt').filter((task) => assignedTo(task, member.id)),
    );
  });

  test.each<Query>([
    { status: 'todo' },
    { priority: 'P1' },
    { assigneeId: 'you' },
    { dueBefore: '2026-02-30' },
    { projectId: 'x' },
    { sort: '-position' },
    { q: 'x'.repeat(201) },
    { limit: 101 },
    { page: 0 },
  ])('refuses %j', async (query) => {
    const response = await list(query);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });

  test('past its end a list is empty, with the total', async () => {
    const { body } = await list({ page: 1_000_000, limit: 100 });
    expect(body.data).toMatchObject({ items: [], pagination: { total: 24, hasNext: false } });
  });

  test('counts up to 10,000 and indicates when there are more', async () => {
    const owner = await newUser(api);
    const projectId = await newProject(api, owner);
    const add = (first: number, last: number) =>
      api.db.execute(sql`
        insert into tasks (organization_id, id, project_id, number, title, status, priority, rank, created_by, created_at, updated_at)
        select ${owner.organizationId}, uuidv7(), ${projectId}, n, 'Task', 'TODO', 'NONE', 'a' || n, ${owner.id}, now(), now()
        from generate_series(${first}::int, ${last}::int) n`);
    const pagination = async () => {
      const { body } = await call(api, 'tasks.list', { token: owner.token, query: { limit: 1 } });
      return body.data.pagination;
    };
    await add(1, 10_000);
    const exact = await pagination();
    expect(exact).toMatchObject({ total: 10_000, totalPages: 10_000, hasNext: true });
    expect(exact).not.toHaveProperty('isTotalLowerBound');
    await add(10_001, 10_001);
    expect(await pagination()).toMatchObject({ total: 10_000, isTotalLowerBound: true });
  });

  test('filters without a possible match return none', async () => {
    for (const query of [{ projectId: newId() }, { assigneeId: newId() }, { page: 1_000_000 }]) {
      expect((await list(query)).body.data.items).toEqual([]);
    }
  });

  test('an unknown project or one of another organization is a 404', async () => {
    const other = await newUser(api);
    for (const projectId of [newId(), await newProject(api, other)]) {
      const response = await listInProject(projectId);
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
  });
});
