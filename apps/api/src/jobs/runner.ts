import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Logger, run, type Runner, type RunnerOptions, type TaskList } from 'graphile-worker';
import type { Database } from '../db/executor.ts';
import { everywhere, type Scopes } from '../db/scopes.ts';
import { keepLeases, type Leases } from './leases/leases.ts';
import type { JobHandlers, Jobs } from '../ports/jobs.ts';
import { openQueuePool } from './queue-pool.ts';

/** Scheduled jobs: a line each, in UTC. Each starts once, however many processes run jobs. */
const schedule = [
  '*/15 * * * * clean_up',
  '*/15 * * * * clean_up_uploads',
  // It lists the whole bucket.
  '17 3 * * * reconcile_storage',
  '7 * * * * purge_bin',
  '*/15 * * * * delete_due_accounts',
  '23 * * * * notice_expiring_keys',
  '41 2 * * * keep_activities',
  '*/15 * * * * keep_webhooks',
  '7 * * * * keep_totp_secrets',
] as const satisfies readonly `${string} ${keyof Jobs}`[];

/** Jobs that read whole files or accounts. They have their own runner, so that no mail waits behind a film. */
const slowJobs: ReadonlySet<string> = new Set<keyof Jobs>(['inspect_content', 'export_account']);
/** Jobs that wait for receivers. Slow receivers hold up each other, and nothing else. */
const outboundJobs: ReadonlySet<string> = new Set<keyof Jobs>(['pump_webhook']);

export interface JobRunner {
  /** Waits for running jobs to finish. */
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
}): Promise<JobRunner> {
  const { log } = options;
  const leases = keepLeases(options);
  const tasks = Object.entries(taskListOf(options.handlers, leases, options.scopes));
  const common = {
    // NOTIFY announces new jobs; polling only finds retries that have become due.
    pollInterval: 2_000,
    noHandleSignals: true,
    logger: loggerTo(log),
    preset: { worker: settled },
  };
  const runners = await Promise.all([
    keepRunning(log, () =>
      runOnOwnPool(options, {
        ...common,
        taskList: Object.fromEntries(
          tasks.filter(([name]) => !slowJobs.has(name) && !outboundJobs.has(name)),
        ),
        concurrency: 4,
        crontab: schedule.join('\n'),
      }),
    ),
    keepRunning(log, () =>
      runOnOwnPool(options, {
        ...common,
        taskList: Object.fromEntries(tasks.filter(([name]) => slowJobs.has(name))),
        concurrency: 2,
      }),
    ),
    keepRunning(log, () =>
      runOnOwnPool(options, {
        ...common,
        taskList: Object.fromEntries(tasks.filter(([name]) => outboundJobs.has(name))),
        concurrency: 8,
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

/** Starts a runner with as many connections as it runs jobs at once, and closes them when it ends. */
async function runOnOwnPool(
  options: Omit<Parameters<typeof openQueuePool>[0], 'maxConnections'>,
  runner: RunnerOptions & { concurrency: number },
): Promise<Runner> {
  const pool = openQueuePool({ ...options, maxConnections: runner.concurrency });
  try {
    const started = await run({ ...runner, pgPool: pool });
    const close = () => void pool.end();
    started.promise.then(close, close);
    return started;
  } catch (error) {
    void pool.end();
    throw error;
  }
}

/**
 * Delay before the queue records completed jobs. Without a delay, if only of zero, it ignores the result of that write,
 * and a lost connection would end the process as an unhandled rejection.
 */
const settled = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

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

function taskListOf(handlers: JobHandlers, leases: Leases, scopes: Scopes | null): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload: unknown, { abortSignal, job }) =>
        leases.during({ jobId: job.id, workers: String(job.locked_by) }, () =>
          everywhere(scopes, () =>
            (handle as (payload: unknown, signal: AbortSignal) => Promise<void>)(
              payload,
              abortSignal,
            ),
          ),
        ),
    ]),
  );
}

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
