import { sql } from 'drizzle-orm';
import type { Reader } from './distribution.ts';
import { historyOfTransactions } from './timeline.ts';

/** Whether positions are of another history than this server's. */
const isOfOtherHistory = sql`exists (select from log_positions where epoch <> ${historyOfTransactions})`;
/** The condition of activities of transactions that this server has not begun. */
const isYetToCome = sql`transaction_id >= pg_snapshot_xmax(pg_current_snapshot())`;
const tables = ['activities', 'account_activities'];

/** Whether {@link adoptRestoredActivities} has still to be called. */
export async function hasRestoredActivities(db: Reader): Promise<boolean> {
  const [positions] = await db.execute<{ is: boolean }>(sql`select ${isOfOtherHistory} as is`);
  if (!positions?.is) return false;
  for (const table of tables) {
    const found = await db.execute(
      sql`select from ${sql.identifier(table)} where ${isYetToCome} limit 1`,
    );
    if (found.length > 0) return true;
  }
  return false;
}

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
      and ${isOfOtherHistory} as "isRestored"
    from pg_class where oid = 'activities'::regclass`);
  if (!found?.isRestored) return;
  for (const table of tables) {
    await db.execute(sql`
      update ${sql.identifier(table)} set transaction_id = pg_current_xact_id()
      where ${isYetToCome}`);
  }
}
