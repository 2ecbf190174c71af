import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '@atelier/devstack';
import { childrenOf, signal } from '../processes.ts';

/** A Postgres server that can be killed, paused and starved of disk. */
export interface Database {
  readonly url: string;
  /** The URL of the service's role, which owns nothing. */
  readonly serviceUrl: string;
  readonly port: number;
  /** Says why its disk can't be filled; null if it can. */
  readonly fillSkipReason: string | null;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /** Shuts down immediately, without a checkpoint. */
  abort(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and its processes with SIGSTOP. */
  pause(): void;
  resume(): void;
  fillDisk(): void;
  freeDisk(): void;
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** Room for a new cluster, the log of one checkpoint and some data. */
const diskMebibytes = 320;
const settings = { max_connections: '200', max_wal_size: '64MB', min_wal_size: '32MB' };

export async function startDatabase(directory: string): Promise<Database> {
  const disk = join(directory, 'disk');
  mkdirSync(disk);
  const fillSkipReason = mountSmallDisk(disk);
  const dataDir = join(disk, 'postgres');
  const filler = join(disk, 'filler');
  let server: RunningPostgres = await startPostgres({ dataDir, settings });
  const { port, url, serviceUrl } = server;
  let isUp = true;
  let paused: number[] = [];
  watch();

  function watch(): void {
    const current = server;
    isUp = true;
    void current.exited.then(() => {
      if (server === current) isUp = false;
    });
  }
  /** Waits for the server to exit, then releases its directory. */
  async function ended(): Promise<void> {
    await server.exited;
    await server.stop();
    isUp = false;
  }

  return {
    url,
    serviceUrl,
    port,
    fillSkipReason,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await ended();
    },
    async abort() {
      server.abort();
      await ended();
    },
    async start() {
      if (isUp) return;
      await server.stop();
      server = await startPostgres({ dataDir, settings, port });
      watch();
    },
    pause() {
      // The server first, because it would start more processes.
      process.kill(server.pid, 'SIGSTOP');
      paused = [server.pid, ...childrenOf(server.pid)];
      for (const pid of paused.slice(1)) signal(pid, 'SIGSTOP');
    },
    resume() {
      for (const pid of paused) signal(pid, 'SIGCONT');
      paused = [];
    },
    fillDisk: () => fill(filler),
    freeDisk: () => rmSync(filler, { force: true }),
    isRunning: () => isUp,
    async stop() {
      await server.stop();
      if (fillSkipReason === null) execFileSync('umount', ['--lazy', disk]);
    },
  };
}

/** @returns why the disk can't be mounted; null if it is */
function mountSmallDisk(directory: string): string | null {
  try {
    execFileSync(
      'mount',
      ['-t', 'tmpfs', '-o', `size=${diskMebibytes}m,mode=755`, 'tmpfs', directory],
      {
        stdio: 'pipe',
      },
    );
    return null;
  } catch {
    return 'mounting a small tmpfs is not permitted here';
  }
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  const chunk = Buffer.alloc(64 * 1024, 1);
  try {
    for (let size = chunk.length; size >= 512; size = size / 2) {
      try {
        for (;;) writeSync(descriptor, chunk, 0, size);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
