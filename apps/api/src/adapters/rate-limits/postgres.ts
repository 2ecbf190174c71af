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
      const rows = await client.unsafe(withoutFlush(text), values, { prepare: true });
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

/**
 * Lets a statement that counts commit without waiting for the disk. It would keep its row until then, and sign-ins from one
 * address would wait for each other's flushes.
 *
 * The statement is its own transaction, so the setting ends with it.
 *
 * @see docs/decisions/0017-rate-limits.md
 */
function withoutFlush(text: string): string {
  const asynchronously = "set_config('synchronous_commit', 'off', true)";
  return text.replace(/(\breturning\b[^;]*);?\s*$/i, `$1, ${asynchronously}`);
}
