import { and, eq, inArray, isNull, lte, or, type SQL } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/executor.ts';
import { accountExports } from '../../db/generated/schema.ts';
import { enqueueJobs } from '../job-queue.ts';

/** Rows of one transaction, so that none runs long. */
const batchRows = 500;

/** Removes the exports that were ready at a time or before, and those that were asked for by then and never were. */
export async function removeExportsUntil(db: Database, timestamp: Date): Promise<void> {
  const due = or(
    lte(accountExports.readyAt, timestamp),
    and(isNull(accountExports.readyAt), lte(accountExports.createdAt, timestamp)),
  );
  while ((await db.transaction((tx) => removeExports(tx, due))) === batchRows);
}

/** Removes the exports of an account. */
export async function removeExportsOf(tx: Transaction, userId: string): Promise<void> {
  while ((await removeExports(tx, eq(accountExports.userId, userId))) === batchRows);
}

/**
 * Removes the exports of a locked account that aren't ready, when it loses the right to them. Their jobs would do nothing,
 * and an account that gets the right back could request no other export while one waits.
 */
export async function removeUnreadyExports(tx: Transaction, userId: string): Promise<void> {
  await deleteExports(tx, and(eq(accountExports.userId, userId), isNull(accountExports.readyAt)));
}

/** Removes a batch of exports, without those that another transaction works on. @returns how many rows */
async function removeExports(tx: Transaction, which: SQL | undefined): Promise<number> {
  const batch = tx
    .select({ id: accountExports.id })
    .from(accountExports)
    .where(which)
    .limit(batchRows)
    .for('update', { skipLocked: true });
  return deleteExports(tx, inArray(accountExports.id, batch));
}

/** Deletes rows, and enqueues the deletion of their objects. @returns how many rows */
async function deleteExports(tx: Transaction, which: SQL | undefined): Promise<number> {
  const removed = await tx
    .delete(accountExports)
    .where(which)
    .returning({ key: accountExports.key, attemptKey: accountExports.attemptKey });
  const keys = removed
    .flatMap(({ key, attemptKey }) => [key, attemptKey])
    .filter((key) => key !== null);
  await enqueueJobs(
    tx,
    'delete_object',
    keys.map((key) => ({ key })),
  );
  return removed.length;
}
