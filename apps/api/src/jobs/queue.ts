import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Logger, run, runMigrations, type Runner, type TaskList } from 'graphile-worker';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Executor } from '../db/client.ts';
import { keepLeases, type Leases } from './leases/leases.ts';

/** Every job and its payload. Payloads hold identifiers, never secrets: they lie in the database. */
export interface Jobs {
  /** Mails a fresh verification link, if the account is still pending. */
  send_verification: { readonly email: string };
  /** Mails a fresh reset link, if the account exists. */
  send_password_reset: { readonly email: string; readonly requestId: string };
  /** Mails a fresh link to an invitation, if it can be accepted at that time. */
  send_invitation: { readonly organizationId: string; readonly invitationId: string };
  /** Reads a stored object once, and notes what it is; makes a small picture of a picture. */
  inspect_content: { readonly storedObjectId: string };
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

/** Jobs that time starts: a line each, in UTC. However many processes run jobs, each is started once. */
const schedule = [
  '*/15 * * * * clean_up',
  '*/15 * * * * clean_up_uploads',
  // It lists the whole bucket.
  '17 3 * * * reconcile_storage',
  '7 * * * * purge_bin',
] as const satisfies readonly `${string} ${keyof Jobs}`[];

/**
 * Handlers of every job. One that rejects is tried again with exponential back-off.
 *
 * The signal says that the process is about to end: who takes long gives up then, to be tried again soon.
 */
export type JobHandlers = {
  readonly [Name in keyof Jobs]: (payload: Jobs[Name], signal: AbortSignal) => Promise<void>;
};

/** Jobs that read whole files. They have runners of their own, so that no mail waits behind a film. */
const slowJobs: ReadonlySet<string> = new Set<keyof Jobs>(['inspect_content']);

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

/** Creates or updates the queue's own schema. Only under the migration lock. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: databaseUrl, logger: silentLogger });
}

export interface JobRunner {
  /** Lets jobs under way finish. */
  stop(): Promise<void>;
}

/** Runs jobs in this process until stopped. */
export async function startJobRunner(options: {
  databaseUrl: string;
  db: Database;
  handlers: JobHandlers;
  log: FastifyBaseLogger;
  /** How long somebody with a job in hand may be silent before it is given to another. */
  leaseSeconds: number;
}): Promise<JobRunner> {
  const { databaseUrl, log } = options;
  const leases = keepLeases(options);
  const tasks = Object.entries(taskListOf(options.handlers, leases));
  const common = {
    connectionString: databaseUrl,
    // New jobs are announced by NOTIFY; polling only finds retries that have become due.
    pollInterval: 2_000,
    noHandleSignals: true,
    logger: loggerTo(log),
    preset: { worker: settled },
  };
  const runners = await Promise.all([
    keepRunning(log, () =>
      run({
        ...common,
        taskList: Object.fromEntries(tasks.filter(([name]) => !slowJobs.has(name))),
        concurrency: 4,
        maxPoolSize: 4,
        crontab: schedule.join('\n'),
      }),
    ),
    keepRunning(log, () =>
      run({
        ...common,
        taskList: Object.fromEntries(tasks.filter(([name]) => slowJobs.has(name))),
        concurrency: 2,
        maxPoolSize: 2,
      }),
    ),
  ]);
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
      await leases.stop();
    },
  };
}

/**
 * How the queue notes that a job is done. Without a delay, of however little, it waits for nobody to hear
 * that this failed, and a lost connection would end the process.
 */
const settled = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

const restartAfterMs = 1_000;

/** A runner ends itself when it can't note what became of a job, as without a database; another follows. */
async function keepRunning(
  log: FastifyBaseLogger,
  start: () => Promise<Runner>,
): Promise<JobRunner> {
  const stopping = new AbortController();
  let runner = await start();
  const kept = (async () => {
    while (!stopping.signal.aborted) {
      await runner.promise.catch((err: unknown) => log.error({ err }, 'the jobs were interrupted'));
      while (!stopping.signal.aborted) {
        await delay(restartAfterMs, undefined, { signal: stopping.signal }).catch(() => {});
        if (stopping.signal.aborted) break;
        const next = await start().catch(() => null);
        if (!next) continue;
        runner = next;
        if (stopping.signal.aborted) await next.stop();
        log.info('jobs are running again');
        break;
      }
    }
  })();
  return {
    async stop() {
      stopping.abort();
      // It may have ended by itself.
      await runner.stop().catch(() => {});
      await kept;
    },
  };
}

function taskListOf(handlers: JobHandlers, leases: Leases): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload: unknown, { abortSignal, job }) =>
        leases.during({ jobId: job.id, workers: String(job.locked_by) }, () =>
          (handle as (payload: unknown, signal: AbortSignal) => Promise<void>)(
            payload,
            abortSignal,
          ),
        ),
    ]),
  );
}

const silentLogger = new Logger(() => () => {});

function loggerTo(log: FastifyBaseLogger): Logger {
  return new Logger((scope) => (level, message) => {
    const line = { jobTask: scope.taskIdentifier, jobId: scope.jobId };
    switch (level) {
      case 'error':
        return log.error(line, message);
      case 'warning':
        return log.warn(line, message);
      default:
        return log.debug(line, message);
    }
  });
}
