import { getTableName } from 'drizzle-orm';
import type postgres from 'postgres';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { CounterOf } from './counters.ts';
import { rateLimits } from '../../db/generated/schema.ts';

/** Counts in the service's own database, over its own pool. */
export function postgresCounters(client: postgres.Sql): CounterOf {
  // The library expects `pg`; this is the part that it uses.
  const storeClient = {
    async query({ text, values }: { text: string; values: (string | number)[] }) {
      const rows = await client.unsafe(text, values, { prepare: true });
      return { rows, rowCount: rows.count };
    },
  };
  return ({ name, limit, windowSeconds }) =>
    new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: getTableName(rateLimits),
      // The migrations create the table, and a job cleans it up.
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points: limit,
      duration: windowSeconds,
    });
}
