import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../is-alive.ts';

const pollIntervalMs = 20;
const fastShutdownMs = 10_000;
const immediateShutdownMs = 5_000;

/** Whether the process is a Postgres on this directory, and not another process with a recycled id. */
export function servesCluster(pid: number, clusterDir: string): boolean {
  try {
    if (process.platform === 'linux') {
      // The kernel appends " (deleted)" to the name of a deleted program.
      const program = basename(readlinkSync(`/proc/${pid}/exe`)).split(' ')[0];
      return (
        program === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir)
      );
    }
    if (process.platform === 'win32') return isAlive(pid);
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('postgres') && command.includes(clusterDir);
  } catch {
    return false;
  }
}

interface Wait {
  pid: number;
  clusterDir: string;
  timeoutMs: number;
}

/** Whether a process has ended; a zombie counts as ended. */
async function isGoneWithin({ pid, clusterDir, timeoutMs }: Wait): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (servesCluster(pid, clusterDir)) {
    if (performance.now() > deadline) return false;
    await delay(pollIntervalMs);
  }
  return true;
}

/** Reads the postmaster's id from the cluster's pid file; undefined if the file is malformed. */
export function recordedPostmaster(clusterDir: string): number | undefined {
  try {
    const firstLine = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0];
    const pid = Number(firstLine);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stops a Postgres that outlived its parent and still serves this cluster, and removes a stale pid file. The caller
 * holds the directory's lock, so no other process uses that server.
 */
export async function stopOrphan(clusterDir: string): Promise<void> {
  const pid = recordedPostmaster(clusterDir);
  if (pid !== undefined && servesCluster(pid, clusterDir)) {
    process.kill(pid, 'SIGINT');
    if (!(await isGoneWithin({ pid, clusterDir, timeoutMs: fastShutdownMs }))) {
      process.kill(pid, 'SIGQUIT');
      if (!(await isGoneWithin({ pid, clusterDir, timeoutMs: immediateShutdownMs }))) {
        throw new Error(
          `A leftover Postgres (process ${pid}) on ${clusterDir} does not stop; kill it.`,
        );
      }
    }
  }
  // Postgres would mistake another process with the recorded id for a server on this cluster.
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
}
