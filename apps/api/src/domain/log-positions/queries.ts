import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { logPositions } from '../../db/generated/schema.ts';
import { historyOfTransactions, nextUnsettled } from '../../db/timeline.ts';

/** Whose position. */
export interface PositionKey {
  readonly organizationId: string;
  readonly consumer: string;
}

/** No activity is earlier than the one with this id. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

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
    .values({
      organizationId,
      consumer,
      epoch: historyOfTransactions,
      transactionId: nextUnsettled,
      activityId: beforeAll,
      updatedAt: now,
    })
    .onConflictDoNothing();
}

export async function stopFollowing(
  tx: Transaction,
  { organizationId, consumer }: PositionKey,
): Promise<void> {
  await tx
    .delete(logPositions)
    .where(
      and(eq(logPositions.organizationId, organizationId), eq(logPositions.consumer, consumer)),
    );
}

/** Sets a position to the present, in the current history of the database. */
export async function moveToNow(
  tx: Transaction,
  { organizationId, consumer }: PositionKey,
  now: Date,
): Promise<void> {
  await tx
    .update(logPositions)
    .set({
      epoch: sql`${historyOfTransactions}`,
      transactionId: sql`${nextUnsettled}`,
      activityId: beforeAll,
      updatedAt: now,
    })
    .where(
      and(eq(logPositions.organizationId, organizationId), eq(logPositions.consumer, consumer)),
    );
}
