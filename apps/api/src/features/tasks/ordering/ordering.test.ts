// @module-tag slow

import type { Task } from '@atelier/contract';
import { and, asc, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, columnSections, projects, tasks } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { freshRanks, longestRank } from '../../../domain/ranks/ranks.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { newProject, newTask } from '../../../testing/work.ts';

const { api, user } = await setUpApiWithUser();

const move = (id: string, body: unknown) =>
  call(api, 'tasks.move', { token: user.token, params: { id }, body });
const get = async (id: string): Promise<Task> =>
  (await call(api, 'tasks.get', { token: user.token, params: { id } })).body.data;

/** A project's tasks as stored: by column and rank. */
const stored = (projectId: string) =>
  api.db
    .select({ id: tasks.id, title: tasks.title, status: tasks.status, rank: tasks.rank })
    .from(tasks)
    .where(and(eq(tasks.organizationId, user.organizationId), eq(tasks.projectId, projectId)))
    .orderBy(asc(tasks.status), asc(tasks.rank));

const order = async (projectId: string, status: Task['status'] = 'TODO') =>
  (await stored(projectId))
    .filter((task) => task.status === status)
    .map(({ title }) => title)
    .join('');

/** Checks that every displayed position matches the stored ranks, and that the section counts are exact. */
async function expectDense(projectId: string) {
  const rows = await stored(projectId);
  const seen = new Map<string, number>();
  const expected = rows.map(({ id, status }) => {
    const position = seen.get(status) ?? 0;
    seen.set(status, position + 1);
    return [id, status, position];
  });
  const shown: [string, string, number][] = [];
  for (let page = 1; shown.length < rows.length; page += 1) {
    const { body } = await call(api, 'tasks.listInProject', {
      token: user.token,
      params: { projectId },
      query: { limit: 100, page },
    });
    expect(body.data.items.length).toBeGreaterThan(0);
    shown.push(...body.data.items.map((task: Task) => [task.id, task.status, task.position]));
  }
  expect(shown.toSorted()).toEqual(expected.toSorted());
  expect(new Set(rows.map(({ status, rank }) => `${status} ${rank}`)).size).toBe(rows.length);
  const sections = await api.db
    .select()
    .from(columnSections)
    .where(eq(columnSections.projectId, projectId));
  for (const [status, count] of seen) {
    const counted = sections.filter((section) => section.status === status);
    expect(counted.reduce((sum, { taskCount }) => sum + taskCount, 0)).toBe(count);
  }
  return sections;
}

async function board(titles: string, status: Task['status'] = 'TODO') {
  const projectId = await newProject(api, user);
  const ids: Record<string, string> = {};
  for (const title of titles) {
    ids[title] = (await newTask(api, user, { projectId, title, status })).id;
  }
  const of = (title: string) => ids[title] ?? newId();
  return { projectId, of, all: Object.values(ids) };
}

/** Inserts tasks by statement: as many by request would take minutes. */
async function fill(projectId: string, count: number): Promise<string[]> {
  const now = new Date();
  const rows = freshRanks(count).map((rank, index) => ({
    id: newId(),
    organizationId: user.organizationId,
    projectId,
    number: index + 1,
    title: `Task ${index}`,
    status: 'TODO' as const,
    priority: 'NONE' as const,
    rank,
    createdBy: user.id,
    createdAt: now,
    updatedAt: now,
  }));
  for (let start = 0; start < count; start += 1000) {
    await api.db.insert(tasks).values(rows.slice(start, start + 1000));
  }
  await api.db
    .update(projects)
    .set({ nextTaskNumber: count + 1 })
    .where(eq(projects.id, projectId));
  return rows.map(({ id }) => id);
}

const setRank = (id: string, rank: string) =>
  api.db.update(tasks).set({ rank }).where(eq(tasks.id, id));

/** Adjacent ranks near the maximum length. */
async function stretch(firstId: string, secondId: string) {
  const ranks = await api.db.select({ rank: tasks.rank }).from(tasks).where(eq(tasks.id, firstId));
  const start = `${ranks[0]?.rank}${'V'.repeat(38)}`;
  await setRank(firstId, start);
  await setRank(secondId, `${start}V`);
}

describe('a move', () => {
  test('puts the task at each anchor, within a column and in another', async () => {
    const { projectId, of } = await board('abcd');
    const steps: [string, object, string, string][] = [
      ['a', { position: 2 }, 'bcad', ''],
      ['d', { position: 0 }, 'dbca', ''],
      ['d', { position: 1_000_000 }, 'bcad', ''],
      ['d', { beforeId: of('c') }, 'bdca', ''],
      ['b', { afterId: of('a') }, 'dcab', ''],
      ['c', { status: 'DONE', position: 0 }, 'dab', 'c'],
      ['a', { status: 'DONE', beforeId: of('c') }, 'db', 'ac'],
      ['b', { status: 'DONE', afterId: of('a') }, 'd', 'abc'],
      ['d', { status: 'DONE', position: 99 }, '', 'abcd'],
      ['b', { status: 'TODO', position: 5 }, 'b', 'acd'],
    ];
    for (const [title, body, todo, done] of steps) {
      const before = await get(of(title));
      const response = await move(of(title), body);
      expect([response.status, response.body.message]).toEqual([200, 'Task moved']);
      expect([await order(projectId), await order(projectId, 'DONE')]).toEqual([todo, done]);
      const after = response.body.data;
      expect(after).toEqual(await get(of(title)));
      expect(after.position).toBe((after.status === 'DONE' ? done : todo).indexOf(title));
      expect(after.completedAt === null).toBe(after.status !== 'DONE');
      expect(after.updatedAt >= before.updatedAt).toBe(true);
      expect(JSON.stringify(after)).not.toContain('rank');
    }
    await expectDense(projectId);
  });

  test('records one activity with the changes of the position', async () => {
    const { projectId, of } = await board('abc');
    await move(of('a'), { status: 'DONE', position: 0 });
    await move(of('b'), { position: 1 });
    await move(of('c'), { afterId: of('b') });
    const recorded = await api.db
      .select({ changes: activities.changes, metadata: activities.metadata })
      .from(activities)
      .where(
        and(eq(activities.organizationId, user.organizationId), eq(activities.action, 'task.move')),
      )
      .orderBy(asc(activities.createdAt));
    expect(recorded.slice(-3)).toEqual([
      { changes: [{ field: 'status', from: 'TODO', to: 'DONE' }], metadata: { projectId } },
      { changes: [{ field: 'position', from: 0, to: 1 }], metadata: { projectId } },
      { changes: [{ field: 'position', from: 0, to: 1 }], metadata: { projectId } },
    ]);
  });

  test('is a no-op when the position is unchanged', async () => {
    const { projectId, of } = await board('abc');
    const before = [await get(of('b')), await stored(projectId)];
    for (const body of [
      { position: 1 },
      { status: 'TODO', position: 1 },
      { afterId: of('a') },
      { beforeId: of('c') },
    ]) {
      expect((await move(of('b'), body)).body.data).toEqual(before[0]);
    }
    expect((await move(of('c'), { position: 77 })).body.data).toEqual(await get(of('c')));
    expect([await get(of('b')), await stored(projectId)]).toEqual(before);
    const recorded = await api.db
      .select()
      .from(activities)
      .where(and(eq(activities.resourceId, of('b')), eq(activities.action, 'task.move')));
    expect(recorded).toEqual([]);
  });

  test('beside an unknown, foreign or deleted task or itself is a 404', async () => {
    const { projectId, of } = await board('abc');
    const stranger = await newUser(api);
    const foreign = await newTask(api, stranger, { projectId: await newProject(api, stranger) });
    await call(api, 'tasks.remove', { token: user.token, params: { id: of('c') } });
    for (const neighbourId of [newId(), foreign.id, of('c'), of('a')]) {
      for (const body of [{ beforeId: neighbourId }, { status: 'DONE', afterId: neighbourId }]) {
        const response = await move(of('a'), body);
        expect([response.status, response.body.code]).toEqual([404, 'not_found']);
      }
    }
    expect(await order(projectId)).toBe('ab');
  });

  test('beside a task in another column is a conflict', async () => {
    const { projectId, of } = await board('ab');
    const other = await board('x');
    await move(of('b'), { status: 'DONE', position: 0 });
    for (const body of [
      { beforeId: of('b') },
      { status: 'TODO', afterId: of('b') },
      { status: 'IN_REVIEW', afterId: of('b') },
      { beforeId: other.of('x') },
    ]) {
      const response = await move(of('a'), body);
      expect([response.status, response.body.code]).toEqual([409, 'conflict']);
    }
    expect([await order(projectId), await order(projectId, 'DONE')]).toEqual(['a', 'b']);
  });

  test.each([
    [{}],
    [{ status: 'DONE' }],
    [{ position: -1 }],
    [{ position: 1.5 }],
    [{ position: 1e9 }],
    [{ position: '1' }],
    [{ position: null }],
    [{ position: 0, beforeId: newId() }],
    [{ beforeId: newId(), afterId: newId() }],
    [{ beforeId: 'x' }],
    [{ position: 0, status: 'NOWHERE' }],
  ])('refuses %j', async (body) => {
    const { of } = await board('a');
    const response = await move(of('a'), body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });
});

describe('positions stay consecutive and ranks unique', () => {
  const statuses = ['TODO', 'DONE', 'IN_REVIEW'] as const;

  test('for fifty parallel moves within a column', async () => {
    const { projectId, all } = await board('abcdefghij');
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        move(String(all[index % 10]), { position: (index * 7) % 10 }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await expectDense(projectId);
  });

  test('for parallel moves, status changes, creations and deletions across columns', async () => {
    const { projectId, all } = await board('abcdefghijklmnopqrst');
    const id = (index: number) => String(all[index % all.length]);
    const status = (index: number) => statuses[index % 3] ?? 'TODO';
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        switch (index % 5) {
          case 0:
            return call(api, 'tasks.update', {
              token: user.token,
              params: { id: id(index + 1) },
              body: { status: status(index) },
            });
          case 1:
            return move(id(index * 3), { beforeId: id(index * 5 + 2), status: status(index) });
          case 2:
            return call(api, 'tasks.create', {
              token: user.token,
              params: { projectId },
              body: { title: 'new', status: status(index) },
            });
          case 3:
            if (index > 30) return move(id(index), { position: 3 });
            return call(api, 'tasks.remove', { token: user.token, params: { id: id(index) } });
          default:
            return move(id(index * 11), { position: index % 4, status: status(index) });
        }
      }),
    );
    for (const response of responses) expect([200, 201, 404, 409]).toContain(response.status);
    expect(responses.filter(({ status: code }) => code === 200).length).toBeGreaterThan(10);
    await expectDense(projectId);
  });

  test('when two tasks alternate in one gap until the column is ranked anew', async () => {
    const { projectId, of } = await board('abcd');
    await stretch(of('b'), of('c'));
    let longest = 0;
    let shrank = false;
    for (let turn = 0; turn < 80; turn += 1) {
      const [goes, stays] = turn % 2 === 0 ? ['c', 'b'] : ['b', 'c'];
      expect((await move(of(goes), { beforeId: of(stays) })).body.data.position).toBe(1);
      const now = Math.max(...(await stored(projectId)).map(({ rank }) => rank.length));
      if (now < longest / 2) shrank = true;
      longest = Math.max(longest, now);
    }
    expect([longest <= longestRank, shrank]).toEqual([true, true]);
    expect(await order(projectId)).toBe('abcd');
    await expectDense(projectId);
  });

  test('when a task had the rank that is free once the column is ranked anew', async () => {
    const { projectId, of } = await board('abc');
    // Between the first task's `a0` and the next rank, which is `a1` again afterwards.
    await setRank(of('b'), `a0${'0'.repeat(47)}1`);
    await setRank(of('c'), 'a0V');
    expect((await move(of('c'), { afterId: of('a') })).body.data.position).toBe(1);
    expect(await order(projectId)).toBe('acb');
    const recorded = await api.db
      .select({ changes: activities.changes })
      .from(activities)
      .where(and(eq(activities.resourceId, of('c')), eq(activities.action, 'task.move')));
    expect(recorded).toEqual([{ changes: [{ field: 'position', from: 2, to: 1 }] }]);
    await expectDense(projectId);
  });

  test('in a column of many sections, for tasks added, removed and moved anywhere', async () => {
    const projectId = await newProject(api, user);
    const ids = await fill(projectId, 1_500);
    // The model: the expected column.
    const column = [...ids];
    const take = (id: string) => column.splice(column.indexOf(id), 1);
    for (const [from, to] of [
      [0, 1499],
      [1499, 0],
      [700, 3],
      [3, 1200],
      [640, 641],
      [256, 255],
    ] as const) {
      const id = String(column[from]);
      take(id);
      column.splice(to, 0, id);
      const response = await move(id, { position: to });
      expect([response.status, response.body.data.position]).toEqual([200, to]);
    }
    for (const [from, neighbour, side] of [
      [2, 1_300, 'beforeId'],
      [1_300, 2, 'afterId'],
      [10, 12, 'beforeId'],
      [1_499, 1_498, 'beforeId'],
      [5, 900, 'afterId'],
    ] as const) {
      const [id, beside] = [String(column[from]), String(column[neighbour])];
      take(id);
      const to = column.indexOf(beside) + (side === 'afterId' ? 1 : 0);
      column.splice(to, 0, id);
      const response = await move(id, { [side]: beside });
      expect([response.status, response.body.data.position]).toEqual([200, to]);
    }
    // One position that gets more tasks than a section holds, and one section that empties.
    for (let index = 0; index < 140; index += 1) {
      const [id] = take(String(column[1_400]));
      column.splice(300, 0, String(id));
      expect((await move(String(id), { position: 300 })).status).toBe(200);
    }
    for (const id of column.slice(900, 1_035)) {
      const response = await call(api, 'tasks.remove', { token: user.token, params: { id } });
      expect(response.status).toBe(200);
    }
    column.splice(900, 135);
    column.push((await newTask(api, user, { projectId })).id);
    expect((await stored(projectId)).map(({ id }) => id)).toEqual(column);
    const sections = await expectDense(projectId);
    expect(sections.length).toBeGreaterThan(8);
    expect(Math.max(...sections.map(({ taskCount }) => taskCount))).toBeLessThanOrEqual(256);
  });

  test('when a column of many sections is ranked anew', async () => {
    const projectId = await newProject(api, user);
    const ids = await fill(projectId, 600);
    const [first, second] = [String(ids[400]), String(ids[401])];
    await stretch(first, second);
    for (let turn = 0; turn < 80; turn += 1) {
      const [goes, stays] = turn % 2 === 0 ? [second, first] : [first, second];
      expect((await move(goes, { beforeId: stays })).body.data.position).toBe(400);
    }
    const rows = await stored(projectId);
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(Math.max(...rows.map(({ rank }) => rank.length))).toBeLessThan(30);
    await expectDense(projectId);
  });

  test('in two organizations in parallel', async () => {
    const other = await newUser(api);
    const theirs = await newProject(api, other);
    const foreign = await newTask(api, other, { projectId: theirs });
    const { projectId, of } = await board('abc');
    await move(of('a'), { position: 2 });
    expect(await order(projectId)).toBe('bca');
    const [still] = await api.db.select().from(tasks).where(eq(tasks.id, foreign.id));
    expect(still).toMatchObject({ status: 'TODO', organizationId: other.organizationId });
  });
});

test('a move writes only its own row, whatever the length of the column', async () => {
  const projectId = await newProject(api, user);
  const ids = await fill(projectId, 2_000);
  const versions = () =>
    api.db.execute<{ id: string; version: string }>(
      sql`select id, xmin::text as version from tasks where project_id = ${projectId}`,
    );
  const before = new Map((await versions()).map(({ id, version }) => [id, version]));
  await move(String(ids[3]), { position: 1_700 });
  const changed = (await versions()).filter(({ id, version }) => before.get(id) !== version);
  expect(changed.map(({ id }) => id)).toEqual([ids[3]]);
});
