import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { lineWorthShowing, readableLine } from './log-lines.ts';
import { RotatingLog } from './rotating-log.ts';

export interface ApiOptions {
  /** Path of the API's entry. */
  entry: string;
  port: number;
  env: Readonly<Record<string, string | undefined>>;
  logPath: string;
  /** Shows a warning or an error of the API. */
  warn(line: string): void;
}

export interface ApiProcess {
  /** Settles when the API has ended, with what it said last. */
  exited: Promise<ApiExit>;
  /** Settles when it answers that it is ready. */
  untilReady(signal: AbortSignal): Promise<void>;
  /** Asks it to stop, and ends it when it hasn't after ten seconds. */
  stop(): Promise<void>;
  /** Ends it at once. */
  abort(): void;
}

export interface ApiExit {
  description: string;
  lastLines: readonly string[];
}

const readyPollMs = 40;
const readyAnswerMs = 2_000;
const stopMs = 10_000;
const keptLines = 20;

async function isReady(port: number, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(readyAnswerMs)]),
    });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** Starts the API as a process of its own, with its log in a file and only its complaints shown. */
export function startApi(options: ApiOptions): ApiProcess {
  const log = new RotatingLog(options.logPath);
  const child = spawn(
    process.execPath,
    ['--import', new URL('exit-with-parent.ts', import.meta.url).href, options.entry],
    {
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl-C reaches the terminal's whole process group; the API is told to stop in its turn.
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
      const worthShowing = lineWorthShowing(line);
      if (worthShowing !== undefined) options.warn(worthShowing);
    });
    await once(lines, 'close');
  };
  const exited = (async (): Promise<ApiExit> => {
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) =>
        resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
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
