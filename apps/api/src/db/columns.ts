import { sql } from 'drizzle-orm';
import { customType, timestamp, uuid } from 'drizzle-orm/pg-core';

/** A primary key that the service makes: UUID, version 7. */
export const id = () => uuid().primaryKey();

/** A moment with the precision that the API shows: milliseconds. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' });

/** The transaction that wrote the row. Unlike any clock or sequence it tells what a snapshot could see. */
export const writtenBy = customType<{ data: string }>({ dataType: () => 'xid8' });

/** Raw bytes. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** An empty JSON object, as a column default. */
export const emptyObject = sql`'{}'::jsonb`;

/** Text that is compared and sorted by its bytes, as object storage sorts keys and fractional indexes are sorted. */
export const byteText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
