import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import { customType, timestamp as pgTimestamp, uuid, type PgColumn } from 'drizzle-orm/pg-core';

/** A primary key that the service generates: UUID, version 7. */
export const id = () => uuid().primaryKey();

/** A timestamp with the precision of the API: milliseconds. */
export const timestamp = () => pgTimestamp({ withTimezone: true, precision: 3, mode: 'date' });

/** The transaction that wrote the row. Unlike a clock or sequence it tells which snapshots include the row. */
export const writtenBy = customType<{ data: string }>({ dataType: () => 'xid8' });

/** Raw bytes. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** An empty JSON object, as a column default. */
export const emptyObject = sql`'{}'::jsonb`;

/** Text that is compared and sorted by its bytes, like keys in object storage and fractional indexes. */
export const byteText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** The condition that a column has one of the values of its `enum`, for a check. */
export function isOneOf(column: PgColumn): SQL {
  // The column that a check gets doesn't know its values; that of its table does.
  const values = getTableColumns(column.table)[column.name]?.enumValues;
  if (!values) throw new Error(`${column.name} has no enum`);
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
}
