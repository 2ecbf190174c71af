import { sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';

/** A job that a worker of a process holds. */
export interface JobInHand {
  readonly jobId: string;
  /** The worker's name in the queue. */
  readonly workers: string;
}

/** Renews the leases of these jobs, by the clock of the database. */
export async function renewLeases(db: Database, jobs: readonly JobInHand[]): Promise<void> {
  if (jobs.length === 0) return;
  const ids = jobs.map(({ jobId }) => jobId);
  // A worker that has taken over a job has a different name.
  const names = jobs.map(({ workers }) => workers);
  await db.execute(sql`
    update graphile_worker._private_jobs set locked_at = now()
    where id in ${ids} and locked_by in ${names}`);
}

/**
 * Releases jobs whose lease was not renewed for this long, as the queue does by itself after four hours.
 *
 * @returns their ids
 */
export async function endLostLeases(db: Database, leaseSeconds: number): Promise<string[]> {
  const freed = await db.execute<{ id: string }>(sql`
    update graphile_worker._private_jobs
    set locked_at = null, locked_by = null, run_at = greatest(run_at, now())
    where locked_at < now() - make_interval(secs => ${leaseSeconds})
    returning id::text`);
  return freed.map(({ id }) => id);
}
