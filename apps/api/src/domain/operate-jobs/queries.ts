import { sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';

export type JobState = 'waiting' | 'running' | 'failed';

export interface JobRow extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** ISO 8601 in UTC. */
  readonly runAt: string;
  readonly lastError: string | null;
  readonly payload: unknown;
}

// `failed`: out of attempts. The queue keeps such a job, and never retries it by itself.
const state = sql`case when jobs.locked_at is not null then 'running' when jobs.attempts >= jobs.max_attempts then 'failed' else 'waiting' end`;

/**
 * Lists unfinished jobs, oldest first.
 *
 * No view of the queue has the payload, only its private table. Its version is pinned, and a test
 * reads a payload.
 */
export async function listJobs(
  db: Database,
  { states, limit }: { states: readonly JobState[]; limit: number },
): Promise<JobRow[]> {
  return db.execute<JobRow>(sql`
    select jobs.id::text as id, jobs.task_identifier as name, ${state} as state, jobs.attempts,
      jobs.max_attempts as "maxAttempts", jobs.last_error as "lastError", stored.payload,
      to_char(jobs.run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "runAt"
    from graphile_worker.jobs as jobs
    join graphile_worker._private_jobs as stored on stored.id = jobs.id
    where ${state} in ${[...states]}
    order by jobs.id
    limit ${limit}`);
}

export async function countJobs(db: Database, states: readonly JobState[]): Promise<number> {
  const [row] = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from graphile_worker.jobs as jobs where ${state} in ${[...states]}`,
  );
  return row?.total ?? 0;
}

/** Makes a job that isn't running run now, with all its attempts. @returns false when there is none */
export async function rescheduleJob(db: Database, id: string): Promise<boolean> {
  const rows = await db.execute(
    sql`select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at := now(), attempts := 0)`,
  );
  return rows.length === 1;
}

export async function findJob(db: Database, id: string): Promise<{ state: JobState } | null> {
  const [row] = await db.execute<{ state: JobState }>(
    sql`select ${state} as state from graphile_worker.jobs as jobs where jobs.id = ${id}::bigint`,
  );
  return row ?? null;
}
