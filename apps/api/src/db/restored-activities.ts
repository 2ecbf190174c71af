import { sql } from 'drizzle-orm';
import type { Reader } from './distribution.ts';
import { historyOfTransactions } from './timeline.ts';

/**
 * Lets activities that were restored from the dump of another server belong to a transaction of this one. They name
 * transactions that this server will only begin: in the order of transactions, they would be changes that are still to
 * come. No effect for a role that isn't the owner of the tables.
 *
 * Only a database with positions of another history is searched for them, which reads every activity.
 */
export async function adoptRestoredActivities(db: Reader): Promise<void> {
  const [found] = await db.execute<{ isRestored: boolean }>(sql`
    select pg_has_role(relowner, 'usage')
      and exists (select from log_positions where epoch <> ${historyOfTransactions}) as "isRestored"
    from pg_class where oid = 'activities'::regclass`);
  if (!found?.isRestored) return;
  for (const table of ['activities', 'account_activities']) {
    await db.execute(sql`
      update ${sql.identifier(table)} set transaction_id = pg_current_xact_id()
      where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())`);
  }
}
