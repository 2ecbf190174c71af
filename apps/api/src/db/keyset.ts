import { asc, bindIfParam, desc, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { RowWindow } from '../kernel/pagination.ts';

/** The order of a list: one column, then the id. */
export interface Keyset {
  readonly column: AnyColumn;
  readonly id: AnyColumn;
  readonly direction: 'ascending' | 'descending';
}

/** Builds the `order by` of a keyset. */
export function orderOf({ column, id, direction }: Keyset): SQL[] {
  return direction === 'ascending' ? [asc(column), asc(id)] : [desc(column), desc(id)];
}

/**
 * Builds the condition for the rows after a position.
 *
 * A row comparison lets the scan start at the position in an index. The same condition with `or` would scan from the end.
 *
 * @param sortValue - the last row's value of the column, or its parameter
 */
export function after(keyset: Keyset, sortValue: unknown, id: unknown): SQL {
  const beyond = keyset.direction === 'ascending' ? sql`>` : sql`<`;
  const position = sql`(${bindIfParam(sortValue, keyset.column)}, ${bindIfParam(id, keyset.id)})`;
  return sql`(${keyset.column}, ${keyset.id}) ${beyond} ${position}`;
}

/**
 * Builds the condition for the rows of a window in a list by time; none for a list from its start.
 *
 * @param keyset - of a column with timestamps
 */
export function afterPosition(keyset: Keyset, { after: position }: RowWindow): SQL | undefined {
  if (!position) return undefined;
  return after(keyset, sql`${position.sortValue}::timestamptz`, sql`${position.id}::uuid`);
}

/**
 * Builds the `limit` and `offset` of a list as literals: for parameters, a generic plan would estimate far too many rows.
 */
export function literalLimit({ limit, offset }: Pick<RowWindow, 'limit' | 'offset'>): SQL {
  return sql.raw(`limit ${limit}${offset > 0 ? ` offset ${offset}` : ''}`);
}
