import { setTimeout as delay } from 'node:timers/promises';
import type { Harness } from './account.ts';

/** The time limit for the queue to be empty. */
const drainSeconds = 90;

/**
 * Waits until no job is left, but those that send messages of webhooks: they wait a minute for what a killed process had
 * in hand. Skips back-off; jobs of a killed runner are taken over by another.
 */
export async function drainJobs({ stack, findings }: Harness): Promise<void> {
  const deadline = performance.now() + drainSeconds * 1_000;
  for (;;) {
    await stack.sql`update graphile_worker._private_jobs set run_at = now()
      where run_at > now() and locked_at is null`;
    const [row] = await stack.sql<{ left: number }[]>`
      select count(*)::int as left from graphile_worker.jobs where task_identifier <> 'pump_webhook'`;
    if (row?.left === 0) return;
    if (performance.now() > deadline) {
      const jobs =
        await stack.sql`select task_identifier, last_error from graphile_worker.jobs limit 5`;
      findings.add(`jobs left: ${JSON.stringify(jobs)}`);
      return;
    }
    await delay(200);
  }
}
