import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { sharedTable } from '../../db/tenancy.ts';

/**
 * Counters of rate limits. The library defines names, types and order of the columns, and inserts rows
 * without naming columns.
 */
export const rateLimits = sharedTable(
  pgTable('rate_limits', {
    /** Name of the quota, and a keyed hash of its subject. */
    key: text().primaryKey(),
    points: integer().notNull(),
    /** End of the window, in milliseconds since 1970. */
    expire: bigint({ mode: 'number' }),
  }),
  {
    rowsOf: 'requests',
    onAccountErased: {},
    onAccountExported: { nothing: 'counters have hashes only' },
    distribution: 'local',
  },
);
