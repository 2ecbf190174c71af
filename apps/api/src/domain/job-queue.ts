import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../db/executor.ts';
import type { Jobs } from '../ports/jobs.ts';

/** About three days of exponential back-off, so that a mail outlives a weekend of the mail server. */
const maxAttempts = 20;

/** Jobs that are always enqueued with a key. */
const keyedJobs = [
  'delete_account',
  'make_share_pictures',
  'pump_webhook',
  'send_email_change',
  'send_invitation',
  'send_notification_mail',
  'spread_webhook',
] as const satisfies readonly (keyof Jobs)[];
type KeyedJob = (typeof keyedJobs)[number];
type OtherJob = Exclude<keyof Jobs, KeyedJob>;

/**
 * The condition that a job of the view `graphile_worker.jobs` was replaced while it ran, and wasn't completed: the queue
 * took its key and all attempts, and gave the key to a successor, which does the work.
 */
export const isReplaced = sql`task_identifier in ${keyedJobs} and key is null and locked_at is null and attempts >= max_attempts`;

/**
 * Enqueues a job in the caller's transaction: it runs if and only if that commits. For a change of an organization's rows, see
 * {@link enqueueJobOf}.
 */
export async function enqueueJob<Name extends OtherJob>(
  tx: Executor,
  name: Name,
  payload: Jobs[Name],
): Promise<void> {
  await tx.execute(
    sql`select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json, max_attempts := ${maxAttempts})`,
  );
}

/**
 * Like {@link enqueueJob}, as a part of a statement that does more: a job for each selected
 * row; the value is the job's id.
 *
 * @param payload - its fields, each as SQL
 */
export function enqueuedJob<Name extends OtherJob>(
  name: Name,
  payload: { readonly [Field in keyof Jobs[Name]]: SQL },
): SQL<string> {
  return sql`(graphile_worker.add_job(${name}::text, payload := ${objectOf(payload)}, max_attempts := ${maxAttempts}::int)).id`;
}

function objectOf(fields: Readonly<Record<string, SQL>>): SQL {
  const parts = Object.entries(fields).flatMap(([field, value]) => [sql`${field}::text`, value]);
  return sql`json_build_object(${sql.join(parts, sql`, `)})`;
}

/** A job of an organization. */
export interface OrganizationJob<Name extends keyof Jobs> {
  readonly name: Name;
  readonly payload: Jobs[Name];
  /** Replaces a waiting job with the same key, but is no retry of a running one. Unique across job names. */
  readonly key?: string;
  /** The earliest start, from now on. */
  readonly afterSeconds?: number;
}

/**
 * Enqueues a job in the transaction that changes rows of an organization. It commits with them, also where they are on
 * another server than the queue.
 *
 * @see docs/decisions/0109-one-commit-of-an-organization.md
 */
export async function enqueueJobOf<Name extends keyof Jobs>(
  tx: Pick<Executor, 'execute'>,
  organizationId: string,
  { name, payload, key, afterSeconds }: OrganizationJob<Name>,
): Promise<void> {
  const runAt =
    afterSeconds === undefined
      ? sql`null`
      : sql`now() + make_interval(secs => ${afterSeconds}::float8)`;
  await tx.execute(
    sql`select enqueue_job(${organizationId}, ${name}, ${JSON.stringify(payload)}::json, ${key ?? null}, ${runAt}, ${maxAttempts})`,
  );
}

/** Like {@link enqueueJobOf}, for any number of jobs in one statement. */
export async function enqueueJobsOf<Name extends OtherJob>(
  tx: Executor,
  organizationId: string,
  { name, payloads }: { readonly name: Name; readonly payloads: readonly Jobs[Name][] },
): Promise<void> {
  if (payloads.length === 0) return;
  await tx.execute(
    sql`select enqueue_job(${organizationId}, ${name}, payload, null, null, ${maxAttempts}) from json_array_elements(${JSON.stringify(payloads)}::json) as payload`,
  );
}

/**
 * Like {@link enqueueJobOf}, as a part of a statement that does more: a job for each selected row.
 *
 * @param payload - its fields, each as SQL
 */
export function enqueuedJobOf<Name extends OtherJob>(
  organizationId: SQL,
  name: Name,
  payload: { readonly [Field in keyof Jobs[Name]]: SQL },
): SQL {
  return sql`enqueue_job(${organizationId}, ${name}::text, ${objectOf(payload)}, null, null, ${maxAttempts}::int)`;
}

/** Like {@link enqueueJob}, for any number of jobs in one statement. */
export async function enqueueJobs<Name extends OtherJob>(
  tx: Executor,
  name: Name,
  payloads: readonly Jobs[Name][],
): Promise<void> {
  if (payloads.length === 0) return;
  await tx.execute(
    sql`select graphile_worker.add_job(${name}, payload := payload, max_attempts := ${maxAttempts}) from json_array_elements(${JSON.stringify(payloads)}::json) as payload`,
  );
}

/** Like {@link enqueueJob}, for a job with an earliest start. */
export async function enqueueJobAt<Name extends keyof Jobs>(
  tx: Executor,
  runAt: Date,
  { name, payload }: { readonly name: Name; readonly payload: Jobs[Name] },
): Promise<void> {
  await tx.execute(
    sql`select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json, run_at := ${runAt.toISOString()}::timestamptz, max_attempts := ${maxAttempts})`,
  );
}

/**
 * Like {@link enqueueJob}, but replaces a waiting job with the same key. A running job
 * is not retried.
 *
 * @param key - unique across job names
 */
export async function enqueueJobInPlace<Name extends KeyedJob>(
  tx: Executor,
  key: string,
  { name, payload }: { readonly name: Name; readonly payload: Jobs[Name] },
): Promise<void> {
  await tx.execute(
    sql`select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json, job_key := ${key}, max_attempts := ${maxAttempts})`,
  );
}

/**
 * Like {@link enqueueJobs}, with an earliest start and a key for each. A waiting job with the same key stays as it is, with
 * its earlier start.
 */
export async function enqueueJobsOnce<Name extends keyof Jobs>(
  tx: Executor,
  runAt: Date,
  {
    name,
    jobs,
  }: { readonly name: Name; readonly jobs: readonly { key: string; payload: Jobs[Name] }[] },
): Promise<void> {
  if (jobs.length === 0) return;
  await tx.execute(sql`
    select graphile_worker.add_job(${name}, payload := job->'payload', job_key := job->>'key',
      job_key_mode := 'preserve_run_at', run_at := ${runAt.toISOString()}::timestamptz, max_attempts := ${maxAttempts})
    from json_array_elements(${JSON.stringify(jobs)}::json) as job`);
}
