import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';

/** The newest migration of the queue's own tables, in the release of the library that is installed. */
export const queueRevision = 20;

/** Every job and its payload. Payloads hold identifiers, never secrets: they lie in the database. */
export interface Jobs {
  /** Mails a fresh verification link, if the account is still pending. */
  send_verification: { readonly email: string };
  /** Mails a fresh reset link, if the account exists. */
  send_password_reset: { readonly email: string; readonly requestId: string };
  /** Tells the owner of an account that a token of it was presented again, and every session ended. */
  send_replay_notice: { readonly userId: string };
  /** Mails a fresh link to an invitation, if it can be accepted at that time. */
  send_invitation: { readonly organizationId: string; readonly invitationId: string };
  /** Reads a stored object once, and notes what it is; makes a small picture of a picture. */
  inspect_content: { readonly storedObjectId: string };
  /** Ends an upload that was aborted, with what the storage holds of it; null: it had not begun there. */
  abort_upload: { readonly key: string; readonly storageUploadId: string | null };
  /** Removes an object that no row refers to. */
  delete_object: { readonly key: string };
  /** Removes expired tokens, sign-ins, sessions, idempotency keys and rate limits. */
  clean_up: Readonly<Record<string, unknown>>;
  /** Finishes or gives up uploads whose time is over. */
  clean_up_uploads: Readonly<Record<string, unknown>>;
  /** Removes what lies in the storage unknown, and reports what is missing there. */
  reconcile_storage: Readonly<Record<string, unknown>>;
  /** Deletes for good what has been in the bin for 30 days. */
  purge_bin: Readonly<Record<string, unknown>>;
  /** Makes the partitions of activities for the months to come, and drops those whose time is over. */
  keep_activities: Readonly<Record<string, unknown>>;
  /** Removes what an avatar upload left in the storage, completed or not. */
  clean_up_avatar_upload: { readonly uploadId: string };
  /** Mails an assignment to the person assigned, if that still holds and they want it. */
  send_assignment_notice: {
    readonly organizationId: string;
    readonly taskId: string;
    readonly userId: string;
    readonly actorId: string;
  };
  /** Mails a mention to the person mentioned, if the comment is still there and they want it. */
  send_mention_notice: {
    readonly organizationId: string;
    readonly taskId: string;
    readonly commentId: string;
    readonly userId: string;
  };
}

/**
 * Handlers of every job. One that rejects is tried again with exponential back-off.
 *
 * The signal says that the process is about to end: who takes long gives up then, to be tried again soon.
 */
export type JobHandlers = {
  readonly [Name in keyof Jobs]: (payload: Jobs[Name], signal: AbortSignal) => Promise<void>;
};

/** About three days of exponential back-off, so that a mail outlives a weekend of the mail server. */
const maxAttempts = 20;

/** Enqueues a job in the caller's transaction: it runs if and only if that commits. */
export async function enqueueJob<Name extends keyof Jobs>(
  tx: Executor,
  name: Name,
  payload: Jobs[Name],
): Promise<void> {
  await tx.execute(
    sql`select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json, max_attempts := ${maxAttempts})`,
  );
}

/**
 * Like {@link enqueueJob}, as a part of a statement that does more: a job for each row that it is selected
 * with, and the value is the job's id.
 *
 * @param payload - its fields, each as SQL
 */
export function enqueuedJob<Name extends keyof Jobs>(
  name: Name,
  payload: { readonly [Field in keyof Jobs[Name]]: SQL },
): SQL<string> {
  const fields = Object.entries<SQL>(payload).flatMap(([field, value]) => [
    sql`${field}::text`,
    value,
  ]);
  return sql`(graphile_worker.add_job(${name}::text, payload := json_build_object(${sql.join(fields, sql`, `)}), max_attempts := ${maxAttempts}::int)).id`;
}

/** Like {@link enqueueJob}, for any number of jobs in one statement. */
export async function enqueueJobs<Name extends keyof Jobs>(
  tx: Executor,
  name: Name,
  payloads: readonly Jobs[Name][],
): Promise<void> {
  if (payloads.length === 0) return;
  await tx.execute(
    sql`select graphile_worker.add_job(${name}, payload := payload, max_attempts := ${maxAttempts}) from json_array_elements(${JSON.stringify(payloads)}::json) as payload`,
  );
}

/** Like {@link enqueueJob}, for a job that may not run before a moment. */
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
 * Like {@link enqueueJob}, in place of the job with the same key that has not run yet. One that is running
 * is not tried again.
 *
 * @param key - unique among the jobs of all names
 */
export async function enqueueJobInPlace<Name extends keyof Jobs>(
  tx: Executor,
  key: string,
  { name, payload }: { readonly name: Name; readonly payload: Jobs[Name] },
): Promise<void> {
  await tx.execute(
    sql`select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json, job_key := ${key}, max_attempts := ${maxAttempts})`,
  );
}
