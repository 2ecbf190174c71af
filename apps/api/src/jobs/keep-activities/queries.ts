import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';

/**
 * The functions behind the next two lock three tables for a moment. Whoever can't have them soon gives up:
 * everybody else would queue up behind, and it is not for a call to be the victim of a deadlock, which Postgres
 * looks for after a second.
 */
export async function waitBriefly(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local lock_timeout = '250ms'`);
}

/** Whether somebody had what {@link waitBriefly} waited for. */
export function wasTooBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    error.cause.code === '55P03'
  );
}

/** Makes a partition of each month (UTC) up to a moment. @returns how many there were none of */
export async function makePartitions(tx: Transaction, upTo: Date): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(
    sql`select make_activity_partitions(${upTo.toISOString()}::timestamptz) as count`,
  );
  return row?.count ?? 0;
}

/** Drops partitions that have nothing after a moment. @returns how many */
export async function dropPartitions(tx: Transaction, before: Date): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(
    sql`select drop_activities_before(${before.toISOString()}::timestamptz) as count`,
  );
  return row?.count ?? 0;
}
