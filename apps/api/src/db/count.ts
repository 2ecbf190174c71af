import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { RowWindow, Total } from '../kernel/pagination.ts';
import type { Executor } from './executor.ts';

/** Maximum number of rows that a list counts; a longer list only reports that there are more. */
export const countedRows = 10_000;

/** The same for a list of what contains a text: each match costs as much as ten rows of an index. */
export const countedMatches = 1_000;

/**
 * Counts the rows of a list in a column of its page. Stops one row past the maximum, so that a million
 * rows cost no more than ten thousand. Read it with {@link totalIn}.
 */
export function countColumn(
  table: SQLWrapper,
  matching: SQLWrapper | undefined,
  most = countedRows,
): SQL<number> {
  return sql<number>`(select count(*)::int from (select 1 from ${table} where ${matching} limit ${sql.raw(String(most + 1))}) counted)`;
}

/** Counts the rows of a list like {@link countColumn}, in a statement of its own. */
export function countRows(db: Executor, table: PgTable, matching: SQL | undefined) {
  const counted = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(matching)
    .limit(countedRows + 1)
    .as('counted');
  return db.select({ count: sql<number>`count(*)::int` }).from(counted);
}

/** Returns the total of a list whose rows are counted, one more than the maximum at most. */
export function totalOf(count: number, most = countedRows): Total {
  return { total: Math.min(count, most), isTotalLowerBound: count > most };
}

/** Returns the total that an earlier page counted, or counts. */
export async function totalIn(
  window: RowWindow,
  count: () => Promise<number>,
  most = countedRows,
): Promise<Total> {
  return window.total ?? totalOf(await count(), most);
}

/** Returns the total that an earlier page counted, or counts the rows of a list by {@link countRows}. */
export function totalOfRows(
  db: Executor,
  window: RowWindow,
  { table, matching }: { readonly table: PgTable; readonly matching: SQL | undefined },
): Promise<Total> {
  return totalIn(window, async () => {
    const [counted] = await countRows(db, table, matching);
    return counted?.count ?? 0;
  });
}
