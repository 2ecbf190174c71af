// @module-tag slow

import { taskStatuses, type Task } from '@atelier/contract';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../../db/executor.ts';
import { columnSections, projects, tasks } from '../../../db/generated/schema.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { setUpApi } from '../../../testing/set-up.ts';
import { newProject, newTask } from '../../../testing/work.ts';
import type { RowWindow } from '../../../kernel/pagination.ts';
import type { TaskFilter } from '../list/queries/filter.ts';
import { taskListQueries } from '../list/queries/lists.ts';
import type { TaskOrder } from '../list/queries/order.ts';
import { lockProject } from '../queries.ts';
import { knownColumns, packRanks, indexOfRank } from './known-columns.ts';
import { taskPositions } from './positions.ts';

const api = await setUpApi();

const newest: TaskOrder = { by: 'createdAt', direction: 'descending' };
const onBoard: TaskOrder = { by: 'position', direction: 'ascending' };
const firstPage: RowWindow = { limit: 101, offset: 0, after: null, total: null };

/** A process of its own, with what it knows; counts the pages whose positions it found itself. */
function newProcess() {
  const positions = taskPositions(api.db);
  const seen = { pages: 0, filled: 0 };
  const queries = taskListQueries(
    { ...api.deps, db: api.db },
    {
      ...positions,
      async fill(organizationId, page) {
        const isFilled = await positions.fill(organizationId, page);
        seen.pages += 1;
        if (isFilled) seen.filled += 1;
        return isFilled;
      },
    },
  );
  const list = async (filter: TaskFilter, order = newest) =>
    (await queries.list(filter, order, firstPage)).rows;
  return { positions, seen, list };
}

/** Today's statement, which knows nothing. */
const oracle = taskListQueries(
  { ...api.deps, db: api.db },
  { areKept: () => false, fill: async () => false },
);

const positionsOf = (rows: readonly { id: string; position: number }[]) =>
  Object.fromEntries(rows.map(({ id, position }) => [id, position]));

/** Requires dense positions in every column that is whole on this page. */
function expectDense(rows: readonly { projectId: string; status: string; position: number }[]) {
  const columns = Map.groupBy(rows, ({ projectId, status }) => projectId + status);
  for (const column of columns.values()) {
    const positions = column.map(({ position }) => position).toSorted((one, other) => one - other);
    expect(positions).toEqual(positions.map((_, index) => index));
  }
}

function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const projectColumn = (projectId: string, place: number) =>
  api.db
    .select({ mark: sql<string>`column_marks[${sql.raw(String(place))}]` })
    .from(projects)
    .where(eq(projects.id, projectId));

async function newBoard(taskCount: number) {
  const user = await newUser(api);
  const { organizationId, token } = user;
  const projectId = await newProject(api, user);
  const made: Task[] = [];
  for (let index = 0; index < taskCount; index += 1) {
    made.push(await newTask(api, user, { projectId, status: 'TODO' }));
  }
  const request = (operation: Parameters<typeof call>[1], id: string, body?: object) =>
    call(api, operation, { token, params: { id }, ...(body && { body }) });
  return { user, organizationId, projectId, made, request };
}

describe('random writers, and readers in several processes', () => {
  test.each([1, 2, 3])('never see another position than the statement, seed %i', async (seed) => {
    const next = random(seed);
    const user = await newUser(api);
    const { organizationId, token } = user;
    const projectIds = [await newProject(api, user), await newProject(api, user)];
    const ids: string[] = [];
    const pick = () => String(ids[next(ids.length)]);
    const status = () => taskStatuses[next(3)] ?? 'TODO';
    const add = async () => {
      const projectId = String(projectIds[next(projectIds.length)]);
      const { status: code, body } = await call(api, 'tasks.create', {
        token,
        params: { projectId },
        body: { title: 'task', status: status() },
      });
      if (code === 201) ids.push(body.data.id);
    };
    for (let index = 0; index < 30; index += 1) await add();
    let rankings = 0;
    const change = (operation: Parameters<typeof call>[1], body?: object) =>
      call(api, operation, { token, params: { id: pick() }, ...(body && { body }) });
    /** Locks in the order of the service: the project before its tasks. */
    const inLocked = (
      projectId: string,
      write: (tx: Transaction, ofProject: SQL | undefined) => Promise<void>,
    ) =>
      api.db.transaction(async (tx) => {
        await lockProject(tx, { organizationId, id: projectId });
        await write(
          tx,
          and(eq(tasks.organizationId, organizationId), eq(tasks.projectId, projectId)),
        );
      });
    const writes: (() => Promise<unknown>)[] = [
      add,
      () => change('tasks.move', { position: next(12) }),
      () => change('tasks.move', { position: next(12), status: status() }),
      () => change('tasks.move', { afterId: pick() }),
      () => change('tasks.update', { status: status() }),
      () => change('tasks.update', { title: 'another' }),
      () => change('tasks.remove'),
      // As the whole column is ranked anew, by a writer that knows no marks.
      () =>
        inLocked(String(projectIds[next(projectIds.length)]), async (tx, ofProject) => {
          await tx
            .update(tasks)
            // A suffix of its own: no rank of before has it.
            .set({ rank: sql`rank || ${`V${(rankings += 1)}V`}::text` })
            .where(ofProject);
          await tx.delete(columnSections).where(eq(columnSections.organizationId, organizationId));
        }),
      // Rolled back: the marks of before count again.
      () =>
        inLocked(String(projectIds[next(projectIds.length)]), async (tx, ofProject) => {
          await tx.delete(tasks).where(ofProject);
          throw new Error('rolled back');
        }).catch(() => undefined),
      async () => {
        const index = next(projectIds.length);
        await call(api, 'projects.remove', { token, params: { id: String(projectIds[index]) } });
        projectIds[index] = await newProject(api, user);
      },
    ];
    const readers = [newProcess(), newProcess(), newProcess()];
    let isOver = false;
    const filters = (): TaskFilter[] => [
      { organizationId },
      { organizationId, projectId: String(projectIds[next(projectIds.length)]) },
    ];
    const reading = readers.map(async ({ list }) => {
      while (!isOver) for (const filter of filters()) expectDense(await list(filter));
    });
    try {
      for (let round = 0; round < 25; round += 1) {
        const batch = Array.from({ length: 4 }, () => writes[next(writes.length)] ?? add);
        await Promise.all(batch.map((write) => write()));
        // No writer runs now. The readers' knowledge is of any age.
        for (const filter of filters()) {
          for (const order of [newest, onBoard]) {
            const expected = positionsOf((await oracle.list(filter, order, firstPage)).rows);
            for (const { list } of readers) {
              expect(positionsOf(await list(filter, order))).toEqual(expected);
            }
          }
        }
      }
    } finally {
      isOver = true;
      await Promise.all(reading);
    }
    const { pages, filled } = readers[0]?.seen ?? { pages: 0, filled: 0 };
    expect(filled).toBeGreaterThan(pages / 2);
  });
});

describe('marks', () => {
  test('change with the ranks of a column, and only with them', async () => {
    const { projectId, made, request } = await newBoard(3);
    const marks = async () =>
      Promise.all(
        taskStatuses.map(async (_, at) => (await projectColumn(projectId, at + 1))[0]?.mark),
      );
    const changedBy = async (write: () => Promise<unknown>) => {
      const before = await marks();
      await write();
      const after = await marks();
      return taskStatuses.filter((_, index) => before[index] !== after[index]);
    };
    const id = String(made[0]?.id);
    const todo = eq(tasks.projectId, projectId);
    expect(await changedBy(() => request('tasks.update', id, { title: 'other' }))).toEqual([]);
    expect(await changedBy(() => request('tasks.move', id, { position: 0 }))).toEqual([]);
    expect(await changedBy(() => request('tasks.move', id, { position: 2 }))).toEqual(['TODO']);
    expect(await changedBy(() => request('tasks.update', id, { status: 'DONE' }))).toEqual([
      'TODO',
      'DONE',
    ]);
    expect(await changedBy(() => request('tasks.remove', id))).toEqual(['DONE']);
    // Writers that know no marks, such as the release before.
    expect(
      await changedBy(async () =>
        api.db
          .update(tasks)
          .set({ rank: sql`rank || 'V'` })
          .where(todo),
      ),
    ).toEqual(['TODO']);
    expect(
      await changedBy(async () => api.db.update(tasks).set({ title: 'all' }).where(todo)),
    ).toEqual([]);
    expect(await changedBy(async () => api.db.delete(tasks).where(todo))).toEqual(['TODO']);
  });

  test('never come again, so an order that was undone is read anew', async () => {
    const { projectId, made, request } = await newBoard(2);
    const [{ mark } = { mark: '' }] = await projectColumn(projectId, 2);
    await request('tasks.move', String(made[0]?.id), { position: 1 });
    await request('tasks.move', String(made[0]?.id), { position: 0 });
    expect((await projectColumn(projectId, 2))[0]?.mark).not.toBe(mark);
  });
});

describe('a process', () => {
  test('that knows a column asks for its ranks once, also for pages under way together', async () => {
    const { organizationId } = await newBoard(5);
    let loads = 0;
    const counted = new Proxy(api.db, {
      get(target, name, receiver) {
        // Each statement asks the database for its session once.
        if (name === '_') loads += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    const queries = taskListQueries({ ...api.deps, db: api.db }, taskPositions(counted));
    const list = () => queries.list({ organizationId }, newest, firstPage);
    await Promise.all(Array.from({ length: 8 }, list));
    expect(loads).toBe(1);
    await list();
    expect(loads).toBe(1);
  });

  test('that reads a page before a change and the ranks after it, uses the statement', async () => {
    const { organizationId, made, request } = await newBoard(3);
    const positions = taskPositions(api.db);
    const filled: boolean[] = [];
    const queries = taskListQueries(
      { ...api.deps, db: api.db },
      {
        ...positions,
        async fill(organization, page) {
          if (filled.length === 0)
            await request('tasks.move', String(made[0]?.id), { position: 2 });
          filled.push(await positions.fill(organization, page));
          return filled.at(-1) ?? false;
        },
      },
    );
    const { rows } = await queries.list({ organizationId }, newest, firstPage);
    expect(filled).toEqual([false]);
    expect(positionsOf(rows)).toEqual({
      [String(made[0]?.id)]: 2,
      [String(made[1]?.id)]: 0,
      [String(made[2]?.id)]: 1,
    });
  });

  test('on a database without triggers asks for marks once, and uses the statement', async () => {
    const { organizationId } = await newBoard(2);
    await api.db
      .update(projects)
      .set({ columnMarks: null })
      .where(eq(projects.organizationId, organizationId));
    const { list, positions, seen } = newProcess();
    for (let times = 0; times < 3; times += 1) expectDense(await list({ organizationId }));
    expect(seen).toEqual({ pages: 1, filled: 0 });
    expect(positions.areKept()).toBe(false);
  });

  test('whose database fails answers the next page', async () => {
    const { organizationId } = await newBoard(2);
    let isBroken = true;
    const broken = new Proxy(api.db, {
      get(target, name, receiver) {
        if (isBroken) throw new Error('gone');
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    const positions = taskPositions(broken);
    const queries = taskListQueries({ ...api.deps, db: api.db }, positions);
    await expect(queries.list({ organizationId }, newest, firstPage)).rejects.toThrow('gone');
    isBroken = false;
    expectDense((await queries.list({ organizationId }, newest, firstPage)).rows);
  });

  test('finds no place for a page that is empty', async () => {
    const { organizationId } = await newUser(api);
    const { list, positions } = newProcess();
    expect(await list({ organizationId })).toEqual([]);
    expect(positions.areKept()).toBe(true);
  });
});

describe('known columns', () => {
  const ranksOf = (count: number) =>
    Array.from({ length: count }, (_, index) => `a${String(index).padStart(5, '0')}`);

  test.each([0, 1, 2, 3, 1_000])('find each of %i ranks, and nothing else', (count) => {
    const ranks = ranksOf(count);
    const packed = packRanks(ranks.join(' '));
    for (const [index, rank] of ranks.entries()) {
      expect(indexOfRank(packed, rank)).toBe(index);
      expect(indexOfRank(packed, `${rank}V`)).toBeNull();
    }
    for (const other of ['', 'A', 'z', ' ']) expect(indexOfRank(packed, other)).toBeNull();
  });

  test('stay within their bytes, and forget those that were used longest ago', () => {
    const maxBytes = 100_000;
    const columns = knownColumns(maxBytes);
    const text = ranksOf(500).join(' ');
    for (let index = 0; index < 200; index += 1) {
      columns.keep(`column ${index}`, { mark: 'm', ranks: packRanks(text) });
      columns.find('column 0', 'm');
      expect(columns.bytes()).toBeLessThanOrEqual(maxBytes);
    }
    expect(columns.find('column 0', 'm')).toBeDefined();
    expect(columns.find('column 0', 'n')).toBeUndefined();
    expect(columns.find('column 1', 'm')).toBeUndefined();
  });
});
