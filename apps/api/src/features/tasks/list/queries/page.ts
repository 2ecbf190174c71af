import { and, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Database } from '../../../../db/executor.ts';
import { tasks } from '../../../../db/generated/schema.ts';
import { literalLimit } from '../../../../db/keyset.ts';
import { columnsOf, computedColumns, taskColumns } from '../../../../domain/task-view/queries.ts';
import type { RowWindow } from '../../../../kernel/pagination.ts';
import { marksOfPage, type ColumnMarks } from '../../positions/queries.ts';
import { matching, type BoundFilter } from './filter.ts';
import { beyond, isByProject, keysOf, orderOf, projectKey, type TaskOrder } from './order.ts';

/**
 * Who finds the positions: the statement, or this process, if the marks say that it knows the columns. In a list of one column
 * they are consecutive: the statement finds that of one task.
 */
export type Positions = 'computed' | 'marked' | 'consecutive';

/** Of a task whose position this process fills in. */
export const unknownPosition = -1;

interface PageOfTasks extends Pick<RowWindow, 'limit' | 'offset'> {
  readonly filter: BoundFilter;
  readonly order: TaskOrder;
  /** The sort values of the previous row. */
  readonly last: readonly (string | Placeholder)[] | null;
  readonly positions: Positions;
}

/** Finds the page first, so that derived columns are computed for its tasks only. */
export function pageOfTasks(db: Database, page: PageOfTasks) {
  const { filter, order, last, positions } = page;
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
      .where(
        sql`${and(wanted, rest)} order by ${sql.join(orderBy(sql`tasks`), sql`, `)} ${literalLimit(page)}`,
      ),
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
