import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { terminalLine, readableLine } from './log-lines.ts';
import { RotatingLog } from './rotating-log.ts';

export interface ApiOptions {
  /** Path of the API's entry point. */
  entry: string;
  port: number;
  env: Readonly<Record<string, string | undefined>>;
  logPath: string;
  /** Prints a warning or an error of the API. */
  warn(line: string): void;
}

export interface ApiProcess {
  /** Resolves when the API has ended, to its last log lines. */
  exited: Promise<ApiExit>;
  /** Resolves when the API reports that it is ready. */
  untilReady(signal: AbortSignal): Promise<void>;
  /** Asks the API to stop, and kills it after ten seconds. */
  stop(): Promise<void>;
  /** Kills the API at once. */
  abort(): void;
}

export interface ApiExit {
  description: string;
  lastLines: readonly string[];
}

const readyPollMs = 40;
const readyTimeoutMs = 2_000;
const stopMs = 10_000;
const keptLines = 20;

async function isReady(port: number, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(readyTimeoutMs)]),
    });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Starts the API as a child process; writes its log to a file and prints only warnings and errors. */
export function startApi(options: ApiOptions): ApiProcess {
  const log = new RotatingLog(options.logPath);
  const child = spawn(
    process.execPath,
    ['--import', new URL('exit-with-parent.ts', import.meta.url).href, options.entry],
    {
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl-C reaches the terminal's whole process group; the API must stop before its services.
      detached: true,
    },
  );
  const lastLines: string[] = [];
  const follow = async (stream: Readable | null): Promise<void> => {
    if (stream === null) return;
    const lines = createInterface({ input: stream, crlfDelay: Infinity });
    lines.on('line', (line) => {
      log.write(`${line}\n`);
      lastLines.push(readableLine(line));
      if (lastLines.length > keptLines) lastLines.shift();
      const worthShowing = terminalLine(line);
      if (worthShowing !== undefined) options.warn(worthShowing);
    });
    await once(lines, 'close');
  };
  const exited = (async (): Promise<ApiExit> => {
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) =>
        resolve(signal === null ? `ended with code ${code}` : `was killed by ${signal}`),
      );
    });
    const description = (await Promise.all([ended, follow(child.stdout), follow(child.stderr)]))[0];
    log.close();
    return { description, lastLines };
  })();
  const gone = new AbortController();
  void exited.then(() => gone.abort());
  return {
    exited,
    untilReady: async (signal) => {
      const stopAsking = AbortSignal.any([signal, gone.signal]);
      while (!stopAsking.aborted && !(await isReady(options.port, stopAsking))) {
        await delay(readyPollMs);
      }
    },
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await exited;
      clearTimeout(timer);
    },
    abort: () => void child.kill('SIGKILL'),
  };
}
