import { sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';

/** A job in the hands of the workers of a process. */
export interface JobInHand {
  readonly jobId: string;
  /** What the queue calls them. */
  readonly workers: string;
}

/** Says, by the clock of the database, that these are being worked on now. */
export async function renewLeases(db: Database, jobs: readonly JobInHand[]): Promise<void> {
  if (jobs.length === 0) return;
  const ids = jobs.map(({ jobId }) => jobId);
  // Whoever took one over meanwhile has a name of their own.
  const names = jobs.map(({ workers }) => workers);
  await db.execute(sql`
    update graphile_worker._private_jobs set locked_at = now()
    where id in ${ids} and locked_by in ${names}`);
}

/**
 * Gives free the jobs of which nobody has been heard for so long, as the queue does by itself after four hours.
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
