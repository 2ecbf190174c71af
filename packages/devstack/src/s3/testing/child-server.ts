import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { S3ServerOptions } from '../index.ts';
import { keys } from './harness.ts';

export interface ChildServer {
  port: number;
  /** Returns the peak memory of the process. */
  maxRssBytes(): Promise<number>;
  /** Kills the process like a crash. */
  kill(): Promise<void>;
}

/** Starts the server in a child process. */
export async function startChildServer(
  options: Pick<S3ServerOptions, 'dataDir'> & Partial<S3ServerOptions>,
): Promise<ChildServer> {
  const settings = { accessKey: keys.accessKey, secretKey: keys.secretKey, ...options };
  const program = fileURLToPath(new URL('child.ts', import.meta.url));
  const child = fork(program, [JSON.stringify(settings)], { execArgv: [] });
  const started: unknown[] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The server process ended early.'))),
  ]);
  return {
    port: numberIn(started[0], 'port'),
    maxRssBytes: async () => {
      child.send('usage');
      const [usage]: unknown[] = await once(child, 'message');
      return numberIn(usage, 'maxRssKibibytes') * 1024;
    },
    kill: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function numberIn(message: unknown, name: string): number {
  const value =
    typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
  if (typeof value !== 'number') throw new TypeError(`The server process sent no ${name}.`);
  return value;
}
