import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';

interface Following {
  /** Path of a program that calls `followAlone`. */
  readonly program: string;
  readonly databaseUrl: string;
  /** Holds the process until it has ended. */
  readonly running: Set<ChildProcess>;
  /** How long it follows, in milliseconds. */
  readonly ms: number;
}

/** Starts a follower in a process of its own. @returns it and its end, when it has followed for the time, or has ended */
export async function followFor({ program, databaseUrl, running, ms }: Following) {
  const { compileCache } = inject('services');
  const child = spawn(process.execPath, [program], {
    env: { DATABASE_URL: databaseUrl, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const exited = once(child, 'exit').then(() => running.delete(child));
  // It says when it follows.
  await Promise.race([exited, once(child.stdout, 'data')]);
  await Promise.race([exited, delay(ms)]);
  return { child, exited };
}
