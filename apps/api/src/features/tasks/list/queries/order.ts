import { taskStatuses } from '@atelier/contract';
import { sql, type Placeholder, type SQL } from 'drizzle-orm';
import { taskPriorities } from '../../../../db/generated/schema.ts';
import type { TaskRow } from '../../../../domain/task-view/queries.ts';
import type { BoundFilter, TaskFilter } from './filter.ts';

export type TaskSort = 'createdAt' | 'updatedAt' | 'dueDate' | 'priority' | 'title' | 'position';

export interface TaskOrder {
  readonly by: TaskSort;
  readonly direction: 'ascending' | 'descending';
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

/** The columns of a board, in their order. */
export const columnIndex = sql.raw(textArray(taskStatuses));
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

/** Omits values that are constant in the list: the project of its tasks, or their column for one status. */
export function keysOf(filter: BoundFilter, order: TaskOrder): SortKey[] {
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

export function isByProject({ projectId }: BoundFilter, { by }: TaskOrder): boolean {
  return by === 'position' && projectId === undefined;
}

export function projectKey({ organizationId }: BoundFilter): SortKey {
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

export function orderOf(
  keys: readonly SortKey[],
  { table, direction }: { table: SQL; direction: TaskOrder['direction'] },
): SQL[] {
  const way = direction === 'ascending' ? sql`asc` : sql`desc`;
  return keys.map((key) => sql`${key.of(table)} ${way}`);
}

/** The rows after the one with these sort values. */
export function beyond(
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
