import { eq, and, sql } from 'drizzle-orm';
import { countColumn, countRows, totalIn } from '../../../../db/count.ts';
import type { Database } from '../../../../db/executor.ts';
import { projects, tasks } from '../../../../db/generated/schema.ts';
import { preparedRead, statement, statementByShape } from '../../../../db/session/statement.ts';
import type { Deps } from '../../../../deps.ts';
import { commonLimits, type RowWindow } from '../../../../kernel/pagination.ts';
import type { TaskPlaces } from '../../places/places.ts';
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

const plainPageOfTasks = statementByShape(plainPage);
const pageOfOnePlan = statementByShape(plainPage, preparedRead);

const countOfPlainList = statementByShape(
  (db, filters: PlainShape['filters']) => countRows(db, tasks, matching(placeholdersOf(filters))),
  preparedRead,
);

/** The tasks of a project or of one of its columns: the kept count, or where none is kept, the rows. */
const countOfBoard = statementByShape((db, filters: PlainShape['filters']) => {
  const filter = placeholdersOf(filters);
  const kept = filters.includes('status')
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
}, preparedRead);

/** The filter of a prepared statement. */
function placeholdersOf(filters: PlainShape['filters']): BoundFilter {
  return {
    organizationId: sql.placeholder('organizationId'),
    ...Object.fromEntries(filters.map((name) => [name, sql.placeholder(name)])),
  };
}

/** The connections of lists. */
export interface ListConnections extends Pick<Deps, 'isDistributed'> {
  readonly db: Database;
  readonly planned: Database;
}

export function taskListQueries(
  { db, planned, isDistributed }: ListConnections,
  places: TaskPlaces,
) {
  /** Citus refuses plans that aren't for values. */
  async function connectionFor(shape: Omit<PlainShape, 'positions'>): Promise<Database> {
    return hasOnePlan(shape) && !(await isDistributed()) ? planned : db;
  }

  async function rowsOf(filter: TaskFilter, order: TaskOrder, window: RowWindow) {
    // Made by this module, and sealed.
    const last = window.after && (JSON.parse(window.after.sortValue) as string[]);
    const shape = plainShapeOf(filter, order, window);
    if (!shape) {
      const { limit, offset } = window;
      return pageOfTasks(db, { filter, order, limit, offset, last, positions: 'computed' });
    }
    const values = {
      ...filter,
      ...Object.fromEntries((last ?? []).map((value, index) => [`last${index}`, value])),
    };
    const connection = await connectionFor(shape);
    const read = hasOnePlan(shape) ? pageOfOnePlan : plainPageOfTasks;
    if (isOfOneColumn(shape)) {
      const positions = 'consecutive';
      return consecutive(await read(connection, { ...shape, positions }, values));
    }
    if (places.areKept()) {
      const marked = await read(connection, { ...shape, positions: 'marked' }, values);
      if (await places.fill(filter.organizationId, marked)) return marked;
    }
    return read(connection, { ...shape, positions: 'computed' }, values);
  }

  async function countOf(filter: TaskFilter): Promise<number> {
    const filters = indexedFiltersOf(filter);
    const ofBoard = filter.projectId !== undefined && filter.assigneeId === undefined;
    const [counted] = await (isPlain(filter)
      ? (ofBoard ? countOfBoard : countOfPlainList)(db, filters, filter)
      : countRows(db, tasks, matching(filter)));
    return counted?.count ?? 0;
  }

  return {
    async hasProject(key: { organizationId: string; id: string }): Promise<boolean> {
      return (await existingProject(db, key)).length > 0;
    },

    async list(filter: TaskFilter, order: TaskOrder, window: RowWindow) {
      const [rows, total] = await Promise.all([
        rowsOf(filter, order, window),
        // A statement of its own: with it, the page would be planned anew at each call.
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
function plainShapeOf(
  filter: TaskFilter,
  order: TaskOrder,
  { limit, offset, after }: RowWindow,
): Omit<PlainShape, 'positions'> | null {
  if (!isPlain(filter) || offset > 0 || !commonLimits.includes(limit)) return null;
  return { filters: indexedFiltersOf(filter), order, limit, isContinued: after !== null };
}

/** Tells whether an index has the rows of each organization in this order, so that one plan reads no more than a page. */
function hasOnePlan({ filters, order }: Pick<PlainShape, 'filters' | 'order'>): boolean {
  return order.by === 'position'
    ? filters.includes('projectId') && !filters.includes('assigneeId')
    : order.by === 'createdAt' && filters.length === 0;
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
