import { taskStatuses } from '@atelier/contract';
import { and, eq, lt, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { countColumn, countRows, totalIn } from '../../../db/count.ts';
import type { Database } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { statement, statementByShape } from '../../../db/session/statement.ts';
import { nameContains, patternsOf, type SearchedText } from '../../../db/patterns.ts';
import { projects, taskPriorities, tasks } from '../../../db/generated/schema.ts';
import { commonLimits, type RowWindow } from '../../../kernel/pagination.ts';
import type { TaskPlaces } from '../places/places.ts';
import { marksOfPage, type ColumnMarks } from '../places/queries.ts';
import type { TaskStatus } from '../policy.ts';
import {
  columnsOf,
  computedColumns,
  taskColumns,
  type TaskRow,
} from '../../../domain/task-view/queries.ts';

export type TaskSort = 'createdAt' | 'updatedAt' | 'dueDate' | 'priority' | 'title' | 'position';

export interface TaskOrder {
  readonly by: TaskSort;
  readonly direction: 'ascending' | 'descending';
}

export interface TaskFilter {
  readonly organizationId: string;
  readonly projectId?: string | undefined;
  readonly status?: TaskStatus | undefined;
  readonly assigneeId?: string | undefined;
  readonly labelId?: string | undefined;
  readonly priority?: (typeof taskPriorities)[number] | undefined;
  readonly parentId?: string | undefined;
  /** ISO 8601. */
  readonly dueBefore?: string | undefined;
  readonly titleContains?: SearchedText | undefined;
}

/** One of the values that a list is sorted by; never null. */
interface SortKey {
  /** The SQL of the value, for the table or subquery with that name. */
  readonly of: (table: SQL) => SQL;
  readonly type: SQL;
  /** The value of a row that was read, as text of the type. */
  readonly in: (row: OrderedRow) => string;
}

/** The sort values of lists. */
type OrderedRow = Pick<
  TaskRow,
  'id' | 'title' | 'status' | 'priority' | 'dueDate' | 'rank' | 'createdAt' | 'updatedAt'
> & {
  /** Null in a list with another order. */
  readonly projectRank: string | null;
};

const columnIndex = sql.raw(textArray(taskStatuses));
const urgency = sql.raw(textArray(taskPriorities));

const sortKeys = {
  createdAt: {
    of: (table) => sql`${table}.created_at`,
    type: sql`timestamptz`,
    in: ({ createdAt }) => createdAt,
  },
  updatedAt: {
    of: (table) => sql`${table}.updated_at`,
    type: sql`timestamptz`,
    in: ({ updatedAt }) => updatedAt,
  },
  title: { of: (table) => sql`${table}.title`, type: sql`text`, in: ({ title }) => title },
  priority: {
    of: (table) => sql`array_position(${urgency}, ${table}.priority)`,
    type: sql`int`,
    in: ({ priority }) => placeIn(taskPriorities, priority),
  },
  column: {
    of: (table) => sql`array_position(${columnIndex}, ${table}.status)`,
    type: sql`int`,
    in: ({ status }) => placeIn(taskStatuses, status),
  },
  rank: { of: (table) => sql`${table}.rank`, type: sql`text`, in: ({ rank }) => rank },
  id: { of: (table) => sql`${table}.id`, type: sql`uuid`, in: ({ id }) => id },
} as const satisfies Record<string, SortKey>;

/** Filters with their own index. */
const indexedFilters = ['projectId', 'status', 'assigneeId'] as const;
type IndexedFilter = (typeof indexedFilters)[number];

/** The filter of a statement; a prepared one has parameters for the values that an index finds. */
type BoundFilter = {
  readonly [Name in keyof TaskFilter]:
    | TaskFilter[Name]
    | (Name extends IndexedFilter | 'organizationId' ? Placeholder : never);
};

/** The parts of a prepared list that change its text. */
interface PlainShape {
  readonly filters: readonly IndexedFilter[];
  readonly order: TaskOrder;
  readonly limit: number;
  readonly isContinued: boolean;
  readonly positions: Positions;
}

/**
 * Who finds the positions: the statement, or this process, if the marks say that it knows the columns. In a list of one column
 * they are consecutive: the statement finds that of one task.
 */
type Positions = 'computed' | 'marked' | 'consecutive';

/** Of a task whose position this process fills in. */
const unknownPosition = -1;

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

const plainPageOfTasks = statementByShape((db, shape: PlainShape) => {
  const { filters, order, limit, isContinued, positions } = shape;
  const filter = placeholdersOf(filters);
  return pageOfTasks(db, {
    filter,
    order,
    positions,
    // A literal: with a parameter, the generic plan would estimate far too many rows.
    rows: sql.raw(`limit ${limit}`),
    last: isContinued
      ? keysOf(filter, order).map((_, index) => sql.placeholder(`last${index}`))
      : null,
  });
});

const countOfPlainList = statementByShape((db, filters: PlainShape['filters']) =>
  countRows(db, tasks, matching(placeholdersOf(filters))),
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
});

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
      const rows = sql`limit ${window.limit} offset ${window.offset}`;
      return pageOfTasks(db, { filter, order, rows, last, positions: 'computed' });
    }
    const values = {
      ...filter,
      ...Object.fromEntries((last ?? []).map((value, index) => [`last${index}`, value])),
    };
    const connection = await connectionFor(shape);
    if (isOfOneColumn(shape)) {
      const positions = 'consecutive';
      return consecutive(await plainPageOfTasks(connection, { ...shape, positions }, values));
    }
    if (places.areKept()) {
      const marked = await plainPageOfTasks(connection, { ...shape, positions: 'marked' }, values);
      if (await places.fill(filter.organizationId, marked)) return marked;
    }
    return plainPageOfTasks(connection, { ...shape, positions: 'computed' }, values);
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

interface PageOfTasks {
  readonly filter: BoundFilter;
  readonly order: TaskOrder;
  /** The range of the ordered rows: `limit`, optionally `offset`. */
  readonly rows: SQL;
  /** The sort values of the previous row. */
  readonly last: readonly (string | Placeholder)[] | null;
  readonly positions: Positions;
}

/** Finds the page first, so that derived columns are computed for its tasks only. */
function pageOfTasks(db: Database, { filter, order, rows, last, positions }: PageOfTasks) {
  const keys = keysOf(filter, order);
  const wanted = matching(filter);
  const rest = last ? beyond(keys, { last, direction: order.direction }) : undefined;
  const orderBy = (table: SQL) => orderOf(keys, { table, direction: order.direction });
  const computed = computedColumns(filter.organizationId);
  const unknown = sql<number>`${sql.raw(String(unknownPosition))}`;
  const position = {
    computed: computed.position,
    marked: unknown,
    consecutive: sql<number>`case when row_number() over () = 1 then ${computed.position} else ${unknown} end`,
  } as const satisfies Record<Positions, SQL<number>>;
  const task = db.$with('task').as(
    db
      .select(taskColumns)
      .from(tasks)
      .where(sql`${and(wanted, rest)} order by ${sql.join(orderBy(sql`tasks`), sql`, `)} ${rows}`),
  );
  return db
    .with(task)
    .select({
      ...columnsOf(task),
      ...computed,
      position: position[positions],
      columnMarks: positions === 'marked' ? marksOfPage(filter) : sql<ColumnMarks | null>`null`,
      projectRank: isByProject(filter, order)
        ? sql<string | null>`${projectKey(filter).of(sql`task`)}`
        : sql<string | null>`null`,
    })
    .from(task)
    .orderBy(...orderBy(sql`task`));
}

function matching(filter: BoundFilter): SQL | undefined {
  const { organizationId, projectId, status, assigneeId } = filter;
  const { labelId, priority, parentId, dueBefore, titleContains } = filter;
  return and(
    eq(tasks.organizationId, organizationId),
    projectId === undefined ? undefined : eq(tasks.projectId, projectId),
    status === undefined ? undefined : eq(tasks.status, status),
    assigneeId === undefined
      ? undefined
      : sql`exists (
          select 1 from task_assignees
          where task_assignees.organization_id = ${organizationId} and task_assignees.task_id = tasks.id
            and task_assignees.user_id = ${assigneeId})`,
    labelId === undefined
      ? undefined
      : sql`exists (
          select 1 from task_labels
          where task_labels.organization_id = ${organizationId} and task_labels.task_id = tasks.id
            and task_labels.label_id = ${labelId})`,
    priority === undefined ? undefined : eq(tasks.priority, priority),
    parentId === undefined ? undefined : eq(tasks.parentId, parentId),
    dueBefore === undefined ? undefined : lt(tasks.dueDate, new Date(dueBefore)),
    titleContains &&
      nameContains({ name: tasks.title, folded: tasks.titleFolded }, patternsOf(titleContains)),
  );
}

/** Omits values that are constant in the list: the project of its tasks, or their column for one status. */
function keysOf(filter: BoundFilter, order: TaskOrder): SortKey[] {
  const { by, direction } = order;
  if (by === 'dueDate') return [dueDateKey(direction), sortKeys.id];
  if (by !== 'position') return [sortKeys[by], sortKeys.id];
  return [
    ...(isByProject(filter, order) ? [projectKey(filter)] : []),
    ...(filter.status === undefined ? [sortKeys.column] : []),
    sortKeys.rank,
    sortKeys.id,
  ];
}

function isByProject({ projectId }: BoundFilter, { by }: TaskOrder): boolean {
  return by === 'position' && projectId === undefined;
}

function projectKey({ organizationId }: BoundFilter): SortKey {
  return {
    of: (table) =>
      sql`(select rank from projects where projects.organization_id = ${organizationId} and projects.id = ${table}.project_id)`,
    type: sql`text`,
    in: ({ projectRank }) => projectRank ?? '',
  };
}

/** Tasks without a due date come last in both directions. */
function dueDateKey(direction: TaskOrder['direction']): SortKey {
  const last = direction === 'ascending' ? 'infinity' : '-infinity';
  return {
    of: (table) => sql`coalesce(${table}.due_date, ${sql.raw(`'${last}'`)})`,
    type: sql`timestamptz`,
    in: ({ dueDate }) => dueDate?.toISOString() ?? last,
  };
}

function orderOf(
  keys: readonly SortKey[],
  { table, direction }: { table: SQL; direction: TaskOrder['direction'] },
): SQL[] {
  const way = direction === 'ascending' ? sql`asc` : sql`desc`;
  return keys.map((key) => sql`${key.of(table)} ${way}`);
}

/** The rows after the one with these sort values. */
function beyond(
  keys: readonly SortKey[],
  {
    last,
    direction,
  }: { last: readonly (string | Placeholder)[]; direction: TaskOrder['direction'] },
): SQL {
  const row = sql.join(
    keys.map((key) => key.of(sql`tasks`)),
    sql`, `,
  );
  const position = sql.join(
    keys.map(({ type }, index) => sql`${last[index]}::text::${type}`),
    sql`, `,
  );
  return direction === 'ascending' ? sql`(${row}) > (${position})` : sql`(${row}) < (${position})`;
}

/** The position of a row in the list, for its cursor. */
export function sortValueOf(row: OrderedRow, filter: TaskFilter, order: TaskOrder): string {
  return JSON.stringify(keysOf(filter, order).map((key) => key.in(row)));
}

/** The index that `array_position` returns. */
function placeIn<Value>(values: readonly Value[], value: Value): string {
  return String(values.indexOf(value) + 1);
}

function textArray(values: readonly string[]): string {
  return `array[${values.map((value) => `'${value}'`).join(', ')}]`;
}
