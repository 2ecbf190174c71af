import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePorts } from '@atelier/devstack';

export interface RedisServer {
  readonly url: string;
  /** Kills it like a power failure; {@link start} restarts it, empty, at the same address. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Keeps its connections open but silent until {@link thaw}. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Finds `redis-server` where distributions install it; null if there is none. */
export function findRedisServer(): string | null {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, 'redis-server');
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this directory.
    }
  }
  return null;
}

/** Starts a real Redis on loopback, without persistence. */
export async function startRedisServer(executable: string): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'atelier-redis-'));
  const [port = 0] = await freePorts(1);
  const run = async () => {
    const child = spawn(
      executable,
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    child.stdout.setEncoding('utf8');
    for await (const line of child.stdout.iterator({ destroyOnReturn: false })) {
      if (String(line).includes('Ready to accept connections')) return child;
    }
    throw new Error('redis-server ended before it was ready');
  };
  let child = await run();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async start() {
      child = await run();
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async close() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
