import { sql, type SQL } from 'drizzle-orm';
import { expect } from 'vitest';
import type { TestApi } from './api.ts';

/**
 * Calls in parallel; lets none of them write before several of them wait for the same rows.
 *
 * @param rows - a select that the calls' own locks conflict with when it ends in `for update`
 */
export async function crowd<Answer>(
  api: Pick<TestApi, 'db'>,
  rows: SQL,
  attempts: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  const { underWay } = await api.db.transaction(async (tx) => {
    await tx.execute(sql`${rows} for update`);
    const underWay = Promise.all(attempts.map((attempt) => attempt()));
    const waiting = async () => {
      await tx.execute(sql`select pg_stat_clear_snapshot()`);
      const [found] = await tx.execute<{ count: number }>(sql`
        select count(*)::int from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return found?.count ?? 0;
    };
    const enough = Math.min(5, attempts.length);
    await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThanOrEqual(enough);
    // Wrapped, so that the transaction ends before the calls do.
    return { underWay };
  });
  return underWay;
}

/** As many of the same. */
export function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
