import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * Counters of rate limits. Names, types and order of the columns are the library's, which writes rows
 * without naming columns.
 */
export const rateLimits = pgTable('rate_limits', {
  /** Name of the quota, and a keyed hash of whom it is counted for. */
  key: text().primaryKey(),
  points: integer().notNull(),
  /** End of the window, in milliseconds since 1970. */
  expire: bigint({ mode: 'number' }),
});
