import { sql, type SQL } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Transaction } from '../db/executor.ts';
import type { TestApi } from './api.ts';

/**
 * Sends requests in parallel; none of them writes before several of them wait for the same rows.
 *
 * @param rows - a select that conflicts with the requests' own locks, at the latest when it ends in `for update`
 */
export async function crowd<Result>(
  api: Pick<TestApi, 'db'>,
  rows: SQL,
  attempts: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const { underWay } = await api.db.transaction(async (tx) => {
    await tx.execute(sql`${rows} for update`);
    const underWay = Promise.all(attempts.map((attempt) => attempt()));
    await untilWaiting(tx, Math.min(5, attempts.length));
    // Wrapped, so that the transaction ends before the requests do.
    return { underWay };
  });
  return underWay;
}

/** Takes the lock of an organization's row, for a crowd to wait for. */
export const organizationRow = (id: string): SQL =>
  sql`select pg_advisory_xact_lock(authority_lock('organization row', ${id}))`;

/** Makes a change, and commits it only when a request waits for its rows. */
export async function whileRowsLocked<Result>(
  api: Pick<TestApi, 'db'>,
  change: SQL,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { underWay } = await api.db.transaction(async (tx) => {
    await tx.execute(change);
    const underWay = attempt();
    await untilWaiting(tx, 1);
    return { underWay };
  });
  return underWay;
}

/** Waits until at least this many requests wait for a lock of the database. */
export async function untilWaiting(tx: Transaction, count: number): Promise<void> {
  await expect.poll(() => countWaiting(tx), { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
}

/** Counts the requests that wait for a lock of the database. */
export async function countWaiting(tx: Transaction): Promise<number> {
  await tx.execute(sql`select pg_stat_clear_snapshot()`);
  const [found] = await tx.execute<{ count: number }>(sql`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return found?.count ?? 0;
}

/**
 * Variables of an instance that really runs 20 requests of one organization at once, with
 * enough time for a slow machine.
 */
export const crowdVariables = {
  DATABASE_POOL_MAX: '24',
  DATABASE_POOL_SHARE: '20',
  DATABASE_LOCK_TIMEOUT_MS: '60000',
  DATABASE_STATEMENT_TIMEOUT_MS: '60000',
};

/** Makes this many items. */
export function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
