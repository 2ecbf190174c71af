import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { hasSqlState } from '../../db/sql-state.ts';

/**
 * The functions that the next two call lock three tables briefly. They give up soon if a lock is taken: all other
 * statements would queue behind them, and no request should fail in a deadlock, which Postgres
 * only detects after a second.
 */
export async function waitBriefly(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local lock_timeout = '250ms'`);
}

/** Checks whether the lock timeout of {@link waitBriefly} expired. */
export function wasTooBusy(error: unknown): boolean {
  return hasSqlState(error, '55P03');
}

/** Creates a partition for each month (UTC) up to a timestamp. @returns how many were missing */
export async function makePartitions(tx: Transaction, upTo: Date): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(
    sql`select make_activity_partitions(${upTo.toISOString()}::timestamptz) as count`,
  );
  return row?.count ?? 0;
}

/** Drops partitions without rows after a timestamp. @returns how many */
export async function dropPartitions(tx: Transaction, before: Date): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(
    sql`select drop_activities_before(${before.toISOString()}::timestamptz) as count`,
  );
  return row?.count ?? 0;
}
