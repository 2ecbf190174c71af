import { and, asc, desc, eq, gt, lt, or, type AnyColumn, type SQL } from 'drizzle-orm';

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
 * @param sortValue - the last row's value of the column, or the parameter that holds it
 */
export function after(keyset: Keyset, sortValue: unknown, id: unknown): SQL | undefined {
  const beyond = keyset.direction === 'ascending' ? gt : lt;
  return or(
    beyond(keyset.column, sortValue),
    and(eq(keyset.column, sortValue), beyond(keyset.id, id)),
  );
}
