import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const entry = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'api', 'src', 'worker.ts');

/** A process that runs jobs and serves no requests. */
export interface JobProcess {
  /** Kills the process, whatever it is doing, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the process. Resolves when it runs jobs. */
export async function startJobProcess(
  environment: Readonly<Record<string, string>>,
  logFile: string,
): Promise<JobProcess> {
  const log = createWriteStream(logFile, { flags: 'a' });
  let child: ChildProcess = await run();

  async function run(): Promise<ChildProcess> {
    const started = spawn(process.execPath, [entry], {
      env: { ...environment, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.stdout.pipe(log, { end: false });
    started.stderr.pipe(log, { end: false });
    await new Promise<void>((resolve, reject) => {
      started.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('jobs are running')) resolve();
      });
      started.once('close', () => reject(new Error(`The worker exited at start; see ${logFile}.`)));
    });
    return started;
  }
  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }
  return {
    async restart() {
      await end('SIGKILL');
      child = await run();
    },
    stop: () => end('SIGTERM'),
  };
}
