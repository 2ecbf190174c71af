import { and, eq, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/executor.ts';
import { logPositions } from '../../db/generated/schema.ts';
import { historyOfTransactions, nextUnsettled } from '../../db/timeline.ts';

/** Whose position. */
export interface PositionKey {
  readonly organizationId: string;
  readonly consumer: string;
}

/** Who puts what concerns members into their inboxes. */
export const notificationConsumer = 'notifications';

/** No activity has an earlier id. */
export const beforeAll = '00000000-0000-0000-0000-000000000000';

/** The position before what no transaction has committed yet. */
const present = {
  epoch: historyOfTransactions,
  transactionId: nextUnsettled,
  activityId: beforeAll,
};

/** The number of the advisory lock of one position. */
export function lockNumberOf({
  organizationId,
  consumer,
}: Record<keyof PositionKey, string | Placeholder>): SQL {
  return sql`hashtextextended('log ' || ${consumer}::text || ' ' || ${organizationId}::text, 0)`;
}

/** The condition of one position. */
export function isPositionOf({
  organizationId,
  consumer,
}: Record<keyof PositionKey, string | Placeholder>): SQL | undefined {
  return and(eq(logPositions.organizationId, organizationId), eq(logPositions.consumer, consumer));
}

/**
 * Lets a consumer follow an organization from now on. What transactions commit that are under way counts as later. No
 * effect if it follows the organization already.
 */
export async function followFromNow(
  tx: Transaction,
  { organizationId, consumer }: PositionKey,
  now: Date,
): Promise<void> {
  await tx
    .insert(logPositions)
    .values({ organizationId, consumer, ...present, updatedAt: now })
    .onConflictDoNothing();
}

/**
 * Waits until no consumer takes activities at this position, and holds it until the transaction ends. Before the rows that
 * the consumer locks: another order would deadlock.
 */
export async function holdPosition(tx: Transaction, key: PositionKey): Promise<void> {
  await tx
    .select({ consumer: logPositions.consumer })
    .from(logPositions)
    .where(isPositionOf(key))
    .for('update');
}

export async function stopFollowing(tx: Transaction, key: PositionKey): Promise<void> {
  await tx.delete(logPositions).where(isPositionOf(key));
}

/** Sets a position to the present, in the current history of the database. */
export async function moveToNow(tx: Transaction, key: PositionKey, now: Date): Promise<void> {
  await tx
    .update(logPositions)
    .set({ ...present, updatedAt: now })
    .where(isPositionOf(key));
}

/** @returns all organizations with rows that a consumer hasn't taken, or whose positions are of another history */
export async function behindAtAll(db: Database): Promise<string[]> {
  const found = await db.execute<{ id: string }>(sql`
    select log_positions.organization_id as id
    from log_positions, (select ${historyOfTransactions} as epoch) as current
    where log_positions.epoch <> current.epoch
      or log_positions.transaction_id > pg_snapshot_xmax(pg_current_snapshot())
    union select organizations_behind()`);
  return found.map(({ id }) => id);
}
