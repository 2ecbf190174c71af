import { asc, bindIfParam, desc, sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** A list's order: one column, then the id. */
export interface Keyset {
  readonly column: AnyColumn;
  readonly id: AnyColumn;
  readonly direction: 'ascending' | 'descending';
}

/** The `order by` of a keyset. */
export function orderOf({ column, id, direction }: Keyset): SQL[] {
  return direction === 'ascending' ? [asc(column), asc(id)] : [desc(column), desc(id)];
}

/**
 * The rows that come after a position.
 *
 * Compared as a row: an index can start there. Spelled out with `or`, it would be read from its end.
 *
 * @param sortValue - the last row's value of the column, or the parameter that holds it
 */
export function after(keyset: Keyset, sortValue: unknown, id: unknown): SQL {
  const beyond = keyset.direction === 'ascending' ? sql`>` : sql`<`;
  const position = sql`(${bindIfParam(sortValue, keyset.column)}, ${bindIfParam(id, keyset.id)})`;
  return sql`(${keyset.column}, ${keyset.id}) ${beyond} ${position}`;
}
