import { taskStatuses } from '@atelier/contract';
import { and, eq, ilike, lt, or, sql, type SQL } from 'drizzle-orm';
import { countColumn, totalOf } from '../../../db/count.ts';
import type { Database } from '../../../db/client.ts';
import { containing } from '../../../db/patterns.ts';
import { projects, taskPriorities, tasks } from '../../../db/schema/index.ts';
import type { RowWindow } from '../../../kernel/pagination.ts';
import type { TaskStatus } from '../policy.ts';
import { columnsOf, computedColumns, taskColumns } from '../view/queries.ts';

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
  readonly priority?: (typeof taskPriorities)[number] | undefined;
  /** ISO 8601. */
  readonly dueBefore?: string | undefined;
  readonly titleContains?: string | undefined;
}

/** One of the values that a list is ordered by; never null. */
interface SortKey {
  /** Of the table, or the subquery, with that name. */
  readonly of: (table: SQL) => SQL;
  readonly type: SQL;
}

const columnIndex = sql.raw(textArray(taskStatuses));
const urgency = sql.raw(textArray(taskPriorities));

const sortKeys = {
  createdAt: { of: (table) => sql`${table}.created_at`, type: sql`timestamptz` },
  updatedAt: { of: (table) => sql`${table}.updated_at`, type: sql`timestamptz` },
  title: { of: (table) => sql`${table}.title`, type: sql`text` },
  priority: {
    of: (table) => sql`array_position(${urgency}, ${table}.priority)`,
    type: sql`int`,
  },
  project: {
    of: (table) =>
      sql`(select rank from projects where projects.organization_id = ${table}.organization_id and projects.id = ${table}.project_id)`,
    type: sql`text`,
  },
  column: {
    of: (table) => sql`array_position(${columnIndex}, ${table}.status)`,
    type: sql`int`,
  },
  rank: { of: (table) => sql`${table}.rank`, type: sql`text` },
  id: { of: (table) => sql`${table}.id`, type: sql`uuid` },
} as const satisfies Record<string, SortKey>;

/** Filters with an index of their own: each combination is a statement. */
const indexedFilters = {
  projectId: eq(tasks.projectId, sql.placeholder('projectId')),
  status: eq(tasks.status, sql.placeholder('status')),
  assigneeId: sql`exists (
    select 1 from task_assignees
    where task_assignees.organization_id = tasks.organization_id and task_assignees.task_id = tasks.id
      and task_assignees.user_id = ${sql.placeholder('assigneeId')})`,
} as const;

type IndexedFilter = keyof typeof indexedFilters;

/** Filters that only sift what the others find; null lets everything through. */
const sieve = and(
  eq(tasks.organizationId, sql.placeholder('organizationId')),
  orAbsent('priority', sql`text`, eq(tasks.priority, sql.placeholder('priority'))),
  orAbsent('dueBefore', sql`timestamptz`, lt(tasks.dueDate, sql.placeholder('dueBefore'))),
  orAbsent('titlePattern', sql`text`, ilike(tasks.title, sql.placeholder('titlePattern'))),
);

/** What of a list changes its statement; everything else is a parameter. */
interface ListShape extends TaskOrder {
  readonly filters: readonly IndexedFilter[];
  readonly isContinued: boolean;
}

export function taskListQueries(db: Database) {
  const project = db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.organizationId, sql.placeholder('organizationId')),
        eq(projects.id, sql.placeholder('id')),
      ),
    )
    .prepare('project_in_organization');

  const statements = new Map<string, ReturnType<typeof prepareList>>();

  /** Prepares the statements of a list at its first call; there are a few hundred shapes at most. */
  function listOf(shape: ListShape) {
    const name = [shape.by, shape.direction, ...shape.filters, shape.isContinued].join('_');
    const known = statements.get(name) ?? prepareList(`tasks_${name}`, shape);
    statements.set(name, known);
    return known;
  }

  function prepareList(name: string, shape: ListShape) {
    const keys = keysOf(shape);
    const matching = and(sieve, ...shape.filters.map((filter) => indexedFilters[filter]));
    // The page first: what is computed for a task is computed for those on it alone.
    const task = db
      .select(taskColumns)
      .from(tasks)
      .where(and(matching, shape.isContinued ? beyond(keys, shape.direction) : undefined))
      .orderBy(...orderOf(keys, { table: sql`tasks`, direction: shape.direction }))
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset'))
      .as('task');
    return {
      page: db
        .select({
          ...columnsOf(task),
          ...computedColumns,
          sortValues: valuesOf(keys),
          count: countColumn(tasks, matching),
        })
        .from(task)
        .orderBy(...orderOf(keys, { table: sql`task`, direction: shape.direction }))
        .prepare(name),
      count: db
        .select({ count: countColumn(tasks, matching) })
        .from(sql`(values (1)) once`)
        .prepare(`${name}_count`),
    };
  }

  return {
    async hasProject(key: { organizationId: string; id: string }): Promise<boolean> {
      return (await project.execute(key)).length > 0;
    },

    async list(filter: TaskFilter, order: TaskOrder, window: RowWindow) {
      const { projectId, status, assigneeId } = filter;
      const given = { projectId, status, assigneeId };
      const statement = listOf({
        ...order,
        filters: (['projectId', 'status', 'assigneeId'] as const).filter(
          (name) => given[name] !== undefined,
        ),
        isContinued: window.after !== null,
      });
      const parameters = {
        organizationId: filter.organizationId,
        ...given,
        priority: filter.priority ?? null,
        dueBefore: filter.dueBefore ?? null,
        titlePattern: filter.titleContains === undefined ? null : containing(filter.titleContains),
      };
      const { limit, offset } = window;
      const rows = await statement.page.execute({
        ...parameters,
        limit,
        offset,
        ...continuationOf(window),
      });
      const isWholeList = offset === 0 && window.after === null;
      // Past the end of a list there is no row to say how long it is.
      const [counted] =
        rows.length > 0 || isWholeList ? rows : await statement.count.execute(parameters);
      return { rows, ...totalOf(counted?.count ?? 0) };
    },
  };
}

export type ListedTask = Awaited<
  ReturnType<ReturnType<typeof taskListQueries>['list']>
>['rows'][number];

/** Within one project its rank says nothing, nor does the column within one status. */
function keysOf({ by, direction, filters }: ListShape): SortKey[] {
  if (by === 'dueDate') return [dueDateKey(direction), sortKeys.id];
  if (by !== 'position') return [sortKeys[by], sortKeys.id];
  return [
    ...(filters.includes('projectId') ? [] : [sortKeys.project]),
    ...(filters.includes('status') ? [] : [sortKeys.column]),
    sortKeys.rank,
    sortKeys.id,
  ];
}

/** Tasks without a due date come last in both directions. */
function dueDateKey(direction: TaskOrder['direction']): SortKey {
  const last = direction === 'ascending' ? sql`'infinity'` : sql`'-infinity'`;
  return {
    of: (table) => sql`coalesce(${table}.due_date, ${last})`,
    type: sql`timestamptz`,
  };
}

function orderOf(
  keys: readonly SortKey[],
  { table, direction }: { table: SQL; direction: TaskOrder['direction'] },
): SQL[] {
  const way = direction === 'ascending' ? sql`asc` : sql`desc`;
  return keys.map((key) => sql`${key.of(table)} ${way}`);
}

/** The rows after the one whose sort values are parameters. */
function beyond(keys: readonly SortKey[], direction: TaskOrder['direction']): SQL {
  const row = sql.join(
    keys.map((key) => key.of(sql`tasks`)),
    sql`, `,
  );
  const last = sql.join(
    keys.map(({ type }, index) => sql`${sql.placeholder(`last${index}`)}::text::${type}`),
    sql`, `,
  );
  return direction === 'ascending' ? sql`(${row}) > (${last})` : sql`(${row}) < (${last})`;
}

function valuesOf(keys: readonly SortKey[]): SQL<string[]> {
  const values = keys.map((key) => sql`${key.of(sql`task`)}::text`);
  return sql<string[]>`array[${sql.join(values, sql`, `)}]`;
}

function continuationOf({ after }: RowWindow): Record<string, string> {
  if (after === null) return {};
  // Made by this module, and sealed.
  const values = JSON.parse(after.sortValue) as string[];
  return Object.fromEntries(values.map((value, index) => [`last${index}`, value]));
}

function orAbsent(parameter: string, type: SQL, condition: SQL): SQL | undefined {
  return or(sql`${sql.placeholder(parameter)}::${type} is null`, condition);
}

function textArray(values: readonly string[]): string {
  return `array[${values.map((value) => `'${value}'`).join(', ')}]`;
}
