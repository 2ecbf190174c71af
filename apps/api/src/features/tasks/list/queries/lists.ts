import { eq, and, sql } from 'drizzle-orm';
import { countColumn, countRows, totalIn, totalOf } from '../../../../db/count.ts';
import type { Database } from '../../../../db/executor.ts';
import { projects, tasks } from '../../../../db/generated/schema.ts';
import {
  byShape,
  preparedRead,
  preparedReads,
  statement,
  statementByShape,
} from '../../../../db/session/statement.ts';
import type { Deps } from '../../../../deps.ts';
import { commonLimits, type RowWindow } from '../../../../kernel/pagination.ts';
import type { TaskPositions } from '../../positions/positions.ts';
import {
  indexedFilters,
  matching,
  type BoundFilter,
  type IndexedFilter,
  type TaskFilter,
} from './filter.ts';
import { columnIndex, keysOf, type TaskOrder } from './order.ts';
import { pageOfTasks, unknownPosition, type Positions } from './page.ts';

/** The parts of a prepared list that change its text. */
interface PlainShape {
  readonly filters: readonly IndexedFilter[];
  readonly order: TaskOrder;
  readonly limit: number;
  readonly isContinued: boolean;
  readonly positions: Positions;
}

const existingProject = statement((db) =>
  db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.organizationId, sql.placeholder('organizationId')),
        eq(projects.id, sql.placeholder('id')),
      ),
    ),
);

function plainPage(db: Database, shape: PlainShape) {
  const { filters, order, limit, isContinued, positions } = shape;
  const filter = placeholdersOf(filters);
  return pageOfTasks(db, {
    filter,
    order,
    positions,
    limit,
    offset: 0,
    last: isContinued
      ? keysOf(filter, order).map((_, index) => sql.placeholder(`last${index}`))
      : null,
  });
}

function countOfPlainList(db: Database, filters: PlainShape['filters']) {
  const filter = placeholdersOf(filters);
  return isOfBoard(filters) ? keptCount(db, filter) : countRows(db, tasks, matching(filter));
}

/** The tasks of a project or of one of its columns: the kept count, or where none is kept, the rows. */
function keptCount(db: Database, filter: BoundFilter) {
  const kept = filter.status
    ? sql`${projects.taskCounts}[array_position(${columnIndex}, ${filter.status})]`
    : sql`(select sum(each) from unnest(${projects.taskCounts}) as each)`;
  return db
    .select({
      count: sql<number>`coalesce(${kept}, ${countColumn(tasks, matching(filter))})::int`,
    })
    .from(projects)
    .where(
      and(
        eq(projects.organizationId, filter.organizationId),
        sql`${projects.id} = ${filter.projectId}`,
      ),
    );
}

const plainPageOfTasks = statementByShape(plainPage);
const pageOfOnePlan = byShape((shape: PlainShape) => preparedRead((db) => plainPage(db, shape)));
const plainCount = byShape((filters: PlainShape['filters']) =>
  preparedRead((db) => countOfPlainList(db, filters)),
);
const countedPageOfOnePlan = byShape((shape: PlainShape) =>
  preparedReads((db) => [plainPage(db, shape), countOfPlainList(db, shape.filters)]),
);

/** The filter of a prepared statement. */
function placeholdersOf(filters: PlainShape['filters']): BoundFilter {
  return {
    organizationId: sql.placeholder('organizationId'),
    ...Object.fromEntries(filters.map((name) => [name, sql.placeholder(name)])),
  };
}

type TaskRow = Awaited<ReturnType<typeof pageOfTasks>>[number];

/** A list to prepare. */
interface PlainList {
  readonly filter: TaskFilter;
  readonly shape: Omit<PlainShape, 'positions'>;
  readonly values: object;
}

/** The connections of lists. */
export interface ListConnections extends Pick<Deps, 'isDistributed'> {
  readonly db: Database;
  readonly genericPlanDb: Database;
}

export function taskListQueries(
  { db, genericPlanDb, isDistributed }: ListConnections,
  positions: TaskPositions,
) {
  async function pageOf(list: PlainList): Promise<TaskRow[]> {
    const { shape, values } = list;
    if (!hasOnePlan(shape)) {
      return withPositions(list, (positions) =>
        plainPageOfTasks(db, { ...shape, positions }, values),
      );
    }
    // Citus refuses plans that aren't for values.
    const connection = (await isDistributed()) ? db : genericPlanDb;
    return withPositions(list, (positions) =>
      pageOfOnePlan(connection, { ...shape, positions }, values),
    );
  }

  async function countedPageOf(list: PlainList) {
    const { shape, values } = list;
    let count = 0;
    const rows = await withPositions(list, async (positions) => {
      const [page, [counted]] = await countedPageOfOnePlan(db, { ...shape, positions }, values);
      count = counted?.count ?? 0;
      return page;
    });
    return { rows, count };
  }

  async function withPositions(
    { shape, filter }: PlainList,
    read: (positions: Positions) => Promise<TaskRow[]>,
  ): Promise<TaskRow[]> {
    if (isOfOneColumn(shape)) return consecutive(await read('consecutive'));
    if (positions.areKept()) {
      const marked = await read('marked');
      if (await positions.fill(filter.organizationId, marked)) return marked;
    }
    return read('computed');
  }

  async function countOf(filter: TaskFilter): Promise<number> {
    const [counted] = await (isPlain(filter)
      ? plainCount(db, indexedFiltersOf(filter), filter)
      : countRows(db, tasks, matching(filter)));
    return counted?.count ?? 0;
  }

  return {
    async hasProject(key: { organizationId: string; id: string }): Promise<boolean> {
      return (await existingProject(db, key)).length > 0;
    },

    async list(filter: TaskFilter, order: TaskOrder, window: RowWindow) {
      const list = plainListOf(filter, order, window);
      if (list && hasOnePlan(list.shape) && window.total === null && (await isDistributed())) {
        const { rows, count } = await countedPageOf(list);
        return { rows, ...totalOf(count) };
      }
      const [rows, total] = await Promise.all([
        list
          ? pageOf(list)
          : pageOfTasks(db, {
              ...window,
              filter,
              order,
              last: lastOf(window),
              positions: 'computed',
            }),
        // At the same time: in a large organization, to count takes as long as to read the page.
        totalIn(window, () => countOf(filter)),
      ]);
      return { rows, ...total };
    },
  };
}

/**
 * Chooses the lists to prepare, whose plan doesn't depend on their values. All others are planned for each set of values: a
 * generic plan estimates few rows for a filter without statistics, then reads and sorts everything.
 */
function plainListOf(filter: TaskFilter, order: TaskOrder, window: RowWindow): PlainList | null {
  const { limit, offset } = window;
  if (!isPlain(filter) || offset > 0 || !commonLimits.includes(limit)) return null;
  const last = lastOf(window);
  const filters = indexedFiltersOf(filter);
  const lastValues = (last ?? []).map((value, index) => [`last${index}`, value] as const);
  return {
    filter,
    shape: { filters, order, limit, isContinued: last !== null },
    values: { ...filter, ...Object.fromEntries(lastValues) },
  };
}

/** The sort values of the last row of the page before. */
function lastOf({ after }: RowWindow): string[] | null {
  // Made by this module, and sealed.
  return after && (JSON.parse(after.sortValue) as string[]);
}

/** Tells whether an index has the rows of each organization in this order, so that one plan reads no more than a page. */
function hasOnePlan({ filters, order }: Pick<PlainShape, 'filters' | 'order'>): boolean {
  return order.by === 'position'
    ? isOfBoard(filters)
    : order.by === 'createdAt' && filters.length === 0;
}

function isOfBoard(filters: PlainShape['filters']): boolean {
  return filters.includes('projectId') && !filters.includes('assigneeId');
}

/** Tells whether the list is a column of a board from top to bottom. */
function isOfOneColumn({ filters, order }: Pick<PlainShape, 'filters' | 'order'>): boolean {
  return order.by === 'position' && filters.join() === 'projectId,status';
}

/** Fills in the positions of a column's tasks, of which one has its own. */
function consecutive<Row extends { position: number }>(rows: Row[]): Row[] {
  const known = rows.findIndex(({ position }) => position !== unknownPosition);
  const first = (rows[known]?.position ?? 0) - known;
  for (const [index, row] of rows.entries()) row.position = first + index;
  return rows;
}

/** Tells whether indexes find all values of the filter. */
function isPlain({ labelId, priority, parentId, dueBefore, titleContains }: TaskFilter): boolean {
  return [labelId, priority, parentId, dueBefore, titleContains].every(
    (value) => value === undefined,
  );
}

function indexedFiltersOf(filter: TaskFilter): readonly IndexedFilter[] {
  return indexedFilters.filter((name) => filter[name] !== undefined);
}
