import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** Rows that a list counts; of a longer one it says that there are more. */
export const countedRows = 10_000;

/**
 * How many rows a list has, as a column of its page. Stops one past what is counted, so that a million
 * rows cost no more than ten thousand. To be read by {@link totalOf}.
 */
export function countColumn(table: SQLWrapper, matching: SQLWrapper | undefined): SQL<number> {
  return sql<number>`(select count(*)::int from (select 1 from ${table} where ${matching} limit ${sql.raw(String(countedRows + 1))}) counted)`;
}

/** The total of a list, by its {@link countColumn}. */
export function totalOf(count: number): { total: number; isTotalLowerBound: boolean } {
  return { total: Math.min(count, countedRows), isTotalLowerBound: count > countedRows };
}
