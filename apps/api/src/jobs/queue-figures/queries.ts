import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { outgoingJobs } from '../../db/generated/schema.ts';
import { isReplaced } from '../../domain/job-queue.ts';
import type { QueueFigure } from '../../ports/telemetry.ts';

/** Counts unfinished jobs by name and state: one row each, however long the queue is. */
export async function readQueue(db: Executor): Promise<readonly QueueFigure[]> {
  return db.execute<QueueFigure & Record<string, unknown>>(sql`
    select job, state, count(*)::int as jobs,
      coalesce(max(extract(epoch from now() - run_at)) filter (where state = 'due'), 0)::float8 as "oldestSeconds"
    from (
      select task_identifier as job, run_at,
        case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
          when run_at <= now() then 'due' else 'scheduled' end as state
      from graphile_worker.jobs where not (${isReplaced})
      union all
      select name, enqueued_at, 'due' from ${outgoingJobs}
    ) as jobs
    group by job, state`);
}
