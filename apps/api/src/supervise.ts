import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config.ts';
import { stopOnSignals } from './lifecycle.ts';
import { createProcessLog } from './log.ts';

/** A pause before a process is replaced: one that dies at once mustn't keep a core busy. */
const replaceAfterMs = 1_000;
/** What the processes have beyond their own time to stop, which they end themselves. */
const stopSlackMs = 2_000;

interface Role {
  readonly name: string;
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs the service as `ATELIER_PROCESSES` processes that share its port, and its jobs in one more once the port is open. A
 * process that dies is replaced; this one exits with 1 if one dies before that.
 */
export function supervise(config: Config): void {
  const log = createProcessLog(config.LOG_LEVEL);
  const running = new Map<string, Worker>();
  const { apis, jobs } = rolesOf(config);
  let [hasStarted, isStopping] = [false, false];

  function start(role: Role): void {
    cluster.setupPrimary({ exec: role.entry });
    const worker = cluster.fork(role.env);
    running.set(role.name, worker);
    worker.once('listening', () => {
      if (hasStarted || isStopping) return;
      hasStarted = true;
      // An API listens only after its migrations, so those of the jobs find nothing to do.
      if (jobs) start(jobs);
    });
    worker.once('exit', (code, signal) => {
      running.delete(role.name);
      if (!isStopping) void replace(role, { code, signal });
    });
  }

  async function replace(role: Role, exit: { code: number; signal: string }): Promise<void> {
    if (!hasStarted) {
      await stop();
      process.exit(1);
    }
    log.error({ ...exit, role: role.name }, 'a process died; another takes its place');
    await delay(replaceAfterMs);
    if (!isStopping) start(role);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    const exits = [...running.values()].map((worker) => once(worker, 'exit'));
    for (const worker of running.values()) worker.process.kill('SIGTERM');
    await Promise.all(exits);
  }

  stopOnSignals(stop, config.SHUTDOWN_DRAIN_MS + config.SHUTDOWN_TIMEOUT_MS + stopSlackMs);
  for (const role of apis) start(role);
}

/** @returns as `jobs` null if they don't run here */
function rolesOf({ ATELIER_PROCESSES: count, JOBS, METRICS_PORT }: Config): {
  apis: readonly Role[];
  jobs: Role | null;
} {
  const entry = process.argv[1] ?? '';
  const worker = join(dirname(entry), basename(entry).replace('main', 'worker'));
  const envOf = (index: number) => ({
    ATELIER_PROCESSES: '1',
    JOBS: 'separate',
    // 0 takes a free one in each.
    ...(METRICS_PORT !== undefined && {
      METRICS_PORT: String(METRICS_PORT === 0 ? 0 : METRICS_PORT + index),
    }),
  });
  const apis = Array.from({ length: count }, (_, index) => ({
    name: `api-${index + 1}`,
    entry,
    env: envOf(index),
  }));
  const jobs = { name: 'jobs', entry: worker, env: envOf(count) };
  return { apis, jobs: JOBS === 'in-process' ? jobs : null };
}
