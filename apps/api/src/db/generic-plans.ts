import { sql } from 'drizzle-orm';
import { hasCitus } from './citus.ts';
import type { Database, Transaction } from './executor.ts';
import { statement } from './session/statement.ts';

// Citus refuses plans without values for what it asks several servers.
const mode = sql`case when ${hasCitus} then 'auto' else 'force_generic_plan' end`;

const keepPlans = statement((db) =>
  db
    .select({ mode: sql<string>`set_config('plan_cache_mode', ${mode}, true)` })
    .from(sql`(values (1)) as once`),
);

/**
 * Reads with statements that Postgres plans once for a connection instead of for their values at each run: for joins of many
 * tables, where planning takes longer than reading, and one plan fits all values. On a server with Citus they are planned
 * for their values.
 *
 * @param read - starts its statements without waiting, so that all are sent together
 */
export function withGenericPlans<Result>(
  db: Database,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const [, result] = await Promise.all([keepPlans(tx), read(tx)]);
    return result;
  });
}
