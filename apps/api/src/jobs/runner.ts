import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Logger, run, type Runner, type TaskList } from 'graphile-worker';
import { smtpConnections } from '../adapters/smtp.ts';
import type { Database } from '../db/executor.ts';
import { everywhere, type Scopes } from '../db/scopes.ts';
import { withoutParameters } from '../log.ts';
import { keepLeases, type Leases } from './leases/leases.ts';
import type { JobHandlers, Jobs } from '../ports/jobs.ts';
import { openQueuePool } from './queue-pool.ts';

/**
 * Scheduled jobs: a line each, in UTC. Each starts once, however many processes run jobs. One that is due once a day is made
 * up for when jobs run again: no process may run in its minute, day after day.
 */
export const schedule = [
  '*/15 * * * * clean_up',
  '*/15 * * * * clean_up_uploads',
  // It lists the whole bucket.
  '17 3 * * * reconcile_storage ?fill=1d',
  '7 * * * * purge_bin',
  '*/15 * * * * delete_due_accounts',
  '23 * * * * notice_expiring_keys',
  '41 2 * * * keep_activities ?fill=1d',
  '*/15 * * * * keep_webhooks',
  '7 * * * * keep_totp_secrets',
  '37 * * * * keep_shares',
  // Not on the hour alone: some time zones are half an hour apart, some a quarter.
  '*/15 * * * * enqueue_digests',
  '*/15 * * * * notice_due_tasks',
  // An index finds them.
  '*/5 * * * * fold_names',
  // It looks at all of them.
  '53 3 * * * keep_notifications ?fill=1d',
] as const satisfies readonly `${string} ${keyof Jobs}${'' | ' ?fill=1d'}`[];

/** Jobs that wait for the same: they hold up each other, and no others. */
interface Lane {
  /** How many run at once in a process. */
  readonly concurrency: number;
  readonly has: (job: string) => boolean;
}

const named = (...jobs: readonly (keyof Jobs)[]) => {
  const names: ReadonlySet<string> = new Set(jobs);
  return (job: string) => names.has(job);
};

const specialLanes: readonly Lane[] = [
  // For the mail server, which may be away or slow.
  { concurrency: smtpConnections, has: (job) => job.startsWith('send_') },
  // For whole files or accounts.
  { concurrency: 2, has: named('inspect_content', 'export_account') },
  // For the files of shares, of which one member may have many.
  { concurrency: 1, has: named('make_share_pictures') },
  // For receivers, which may be slow.
  { concurrency: 8, has: named('pump_webhook') },
];

/** Of the jobs that wait for none of these, among them all that the schedule starts. */
const commonLane: Lane = {
  concurrency: 4,
  has: (job) => !specialLanes.some(({ has }) => has(job)),
};

/**
 * Maximum number of connections to the queue. The runner of each lane keeps one to be notified; the others take jobs
 * and record their results, which is short. The jobs themselves use the pool of the process.
 */
const queueConnections = 8;

export interface JobRunner {
  /** Waits for running jobs to finish, or to give up. */
  stop(): Promise<void>;
}

/** Runs jobs in this process until stopped. */
export async function startJobRunner(options: {
  databaseUrl: string;
  db: Database;
  scopes: Scopes | null;
  handlers: JobHandlers;
  log: FastifyBaseLogger;
  /** How long a worker may be silent before its job goes to another. */
  leaseSeconds: number;
  /** After which the queue's statements fail, in milliseconds. */
  responseTimeoutMs: number;
  /** How long running jobs may finish after a stop, before they are told to give up, in milliseconds. */
  abortAfterMs: number;
  /** What starts by itself, as lines of {@link schedule}. */
  schedule: readonly string[];
}): Promise<JobRunner> {
  const { log } = options;
  const leases = keepLeases(options);
  const pgPool = openQueuePool({ ...options, maxConnections: queueConnections });
  const tasks = Object.entries(taskListOf(options, leases));
  const common = {
    // NOTIFY announces new jobs; polling only finds retries that have become due.
    pollInterval: 2_000,
    noHandleSignals: true,
    pgPool,
    logger: loggerTo(log),
    preset: { worker: { ...recordingDelays, gracefulShutdownAbortTimeout: options.abortAfterMs } },
  };
  const start = ({ concurrency, has }: Lane, crontab?: string) =>
    keepRunning(log, () =>
      run({
        ...common,
        taskList: Object.fromEntries(tasks.filter(([name]) => has(name))),
        concurrency,
        ...(crontab !== undefined && { crontab }),
      }),
    );
  const starts = await Promise.allSettled([
    start(commonLane, options.schedule.join('\n')),
    ...specialLanes.map((lane) => start(lane)),
  ]);
  const runners = starts.flatMap((started) =>
    started.status === 'fulfilled' ? [started.value] : [],
  );
  const stop = async () => {
    await Promise.all(runners.map((runner) => runner.stop()));
    await leases.stop();
    if (!pgPool.ending) void pgPool.end();
  };
  const failed = starts.find((started) => started.status === 'rejected');
  if (!failed) return { stop };
  await stop();
  throw failed.reason;
}

/**
 * Delay before the queue records completed jobs. Without a delay, if only of zero, it ignores the result of that write,
 * and a lost connection would end the process as an unhandled rejection.
 */
const recordingDelays = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

const restartAfterMs = 1_000;

/** Restarts a runner that ends itself because it can't record the result of a job, as without a database. */
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
        else log.info('jobs are running again');
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

function taskListOf(
  {
    handlers,
    scopes,
    log,
  }: { handlers: JobHandlers; scopes: Scopes | null; log: FastifyBaseLogger },
  leases: Leases,
): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      async (payload: unknown, { abortSignal, job }) => {
        try {
          await leases.during({ jobId: job.id, workers: String(job.locked_by) }, () =>
            everywhere(scopes, () =>
              (handle as (payload: unknown, signal: AbortSignal) => Promise<void>)(
                payload,
                abortSignal,
              ),
            ),
          );
        } catch (err) {
          const { id: jobId, attempts: attempt } = job;
          log.error({ err, jobTask: name, jobId, attempt }, 'a job failed');
          throw storedError(err);
        }
      },
    ]),
  );
}

/** The queue stores the message of an error. */
function storedError(error: unknown): Error {
  const message = error instanceof Error ? error.message : typeof error;
  return new Error(withoutParameters(message), { cause: error });
}

function loggerTo(log: FastifyBaseLogger): Logger {
  return new Logger((scope) => (level, message, meta) => {
    // The failure of a job is logged where it is caught.
    if (meta?.['failure'] === true) return;
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
