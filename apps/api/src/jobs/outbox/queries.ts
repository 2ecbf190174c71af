import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { outgoingJobs } from '../../db/generated/schema.ts';

/** Jobs that are moved together. */
const batchJobs = 100;

/** @returns the organizations with jobs that aren't in the queue yet */
export async function findWaiting(db: Database): Promise<string[]> {
  const rows = await db
    .selectDistinct({ organizationId: outgoingJobs.organizationId })
    .from(outgoingJobs);
  return rows.map(({ organizationId }) => organizationId);
}

/** @returns false if another process moves the jobs of the organization */
export async function lockOutbox(tx: Transaction, organizationId: string): Promise<boolean> {
  const [row] = await tx.execute<{ isLocked: boolean }>(sql`
    select pg_try_advisory_xact_lock(authority_lock('outgoing jobs', ${organizationId}::uuid)) as "isLocked"`);
  return row?.isLocked ?? false;
}

export type OutgoingJob = Awaited<ReturnType<typeof firstJobs>>[number];

/** Reads the next jobs of an organization, in the order in which they were enqueued. */
export function firstJobs(tx: Transaction, organizationId: string) {
  return tx
    .select({
      id: outgoingJobs.id,
      name: outgoingJobs.name,
      payload: outgoingJobs.payload,
      jobKey: outgoingJobs.jobKey,
      runAt: outgoingJobs.runAt,
      maxAttempts: outgoingJobs.maxAttempts,
    })
    .from(outgoingJobs)
    .where(eq(outgoingJobs.organizationId, organizationId))
    .orderBy(asc(outgoingJobs.enqueuedAt), asc(outgoingJobs.id))
    .limit(batchJobs);
}

/** Puts jobs into the queue. One that is still there from an earlier time stays as it is, or is replaced by its key. */
export async function enqueueMoved(db: Executor, jobs: readonly OutgoingJob[]): Promise<void> {
  await db.execute(sql`
    select graphile_worker.add_job(job.name, payload := job.payload, run_at := job."runAt",
      max_attempts := job."maxAttempts", job_key := coalesce(job."jobKey", 'outgoing ' || job.id),
      job_key_mode := case when job."jobKey" is null then 'unsafe_dedupe' else 'replace' end)
    from jsonb_to_recordset(${JSON.stringify(jobs)}::text::jsonb)
      as job(id text, name text, payload json, "jobKey" text, "runAt" timestamptz, "maxAttempts" integer)`);
}

export async function deleteMoved(
  db: Executor,
  organizationId: string,
  jobs: readonly OutgoingJob[],
): Promise<void> {
  const ids = jobs.map(({ id }) => id);
  await db
    .delete(outgoingJobs)
    .where(and(eq(outgoingJobs.organizationId, organizationId), inArray(outgoingJobs.id, ids)));
}
