import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of the direct children of a process. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(fields[1]) === parent ? Number(name) : [];
    } catch {
      return [];
    }
  });
}

/** Sends a signal to a process that may have exited. */
export function signal(pid: number, name: 'SIGCONT' | 'SIGKILL' | 'SIGSTOP'): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has exited since.
  }
}
