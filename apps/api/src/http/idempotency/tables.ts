import { index, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from '../../db/columns.ts';

/** An `Idempotency-Key` that was used: held by the call that works under it, then with its answer. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Whose key it is: a user, or the address of an anonymous caller. */
    scope: text().notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    /** Keyed hash of what was asked for; a payload may hold a password. */
    payloadHash: bytes().notNull(),
    /** The one attempt that may store the answer. */
    holder: uuid().notNull(),
    /** When another attempt may take an unanswered key over. */
    leasedUntil: moment().notNull(),
    expiresAt: moment().notNull(),
    /** HTTP status of the stored answer; null while there is none. */
    status: smallint(),
    headers: jsonb().$type<Record<string, string>>(),
    /** The body as it was sent, compressed with zstd and sealed: it may hold addresses that let anybody write. */
    body: bytes(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.operation, table.key] }),
    index('idempotency_keys_by_expiry').on(table.expiresAt),
  ],
);
