import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const entry = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'api', 'src', 'main.ts');
const clock = join(import.meta.dirname, '..', 'shifted-clock.ts');
const startMs = 90_000;

/** An instance of the API that can be stopped and started again at the same address. */
export interface Api {
  readonly url: string;
  readonly isRunning: boolean;
  /** Resolves when the API listens. @param clockOffsetSeconds - how far its clock is off */
  start(clockOffsetSeconds?: number): Promise<void>;
  kill(): void;
  ended(): Promise<void>;
  /** Kills it and makes every later start fail. */
  end(): Promise<void>;
  /** Stops gracefully. @returns the exit code; null if a signal ended it */
  stop(): Promise<number | null>;
}

/** Creates an instance without starting it. */
export function createApi(
  environment: Readonly<Record<string, string>>,
  { port, logFile }: { port: number; logFile: string },
): Api {
  let child: ChildProcess | null = null;
  let closed: Promise<unknown> = Promise.resolve();
  const url = `http://127.0.0.1:${port}`;
  const log = createWriteStream(logFile, { flags: 'a' });
  let hasEnded = false;

  async function start(clockOffsetSeconds = 0): Promise<void> {
    if (hasEnded) throw new Error('The run has ended.');
    const preload = clockOffsetSeconds === 0 ? [] : ['--import', clock];
    const started = spawn(process.execPath, [...preload, entry], {
      env: {
        ...environment,
        HOST: '127.0.0.1',
        PORT: String(port),
        CLOCK_OFFSET_SECONDS: String(clockOffsetSeconds),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    closed = once(started, 'close').then(() => {
      if (child === started) child = null;
    });
    started.stdout.pipe(log, { end: false });
    started.stderr.pipe(log, { end: false });
    const deadline = performance.now() + startMs;
    while (!(await isListening(url))) {
      if (child !== started) throw new Error(`The API exited at start; see ${logFile}.`);
      if (performance.now() > deadline) throw new Error(`The API does not listen; see ${logFile}.`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  return {
    url,
    get isRunning() {
      return child !== null;
    },
    start,
    kill: () => void child?.kill('SIGKILL'),
    async ended() {
      await closed;
    },
    async end() {
      hasEnded = true;
      child?.kill('SIGKILL');
      await closed;
    },
    async stop() {
      const stopping = child;
      stopping?.kill('SIGTERM');
      await closed;
      return stopping?.exitCode ?? null;
    },
  };
}

async function isListening(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
