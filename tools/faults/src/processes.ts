import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of the direct children of a process. */
export function childrenOf(parent: number): number[] {
  return [...parents()].filter(([, its]) => its === parent).map(([pid]) => pid);
}

/** Returns the ids of these processes, of their children, and of the children of those. */
export function treesOf(roots: readonly number[]): number[] {
  const found = new Set(roots);
  const all = parents();
  for (const pid of found) {
    for (const [child, parent] of all) if (parent === pid) found.add(child);
  }
  return [...found];
}

/** Returns the parent of each process of this machine, as of now. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      found.set(Number(name), Number(fields[1]));
    } catch {
      // The process has exited since.
    }
  }
  return found;
}

/** Sends a signal to a process that may have exited. */
export function signal(pid: number, name: 'SIGCONT' | 'SIGKILL' | 'SIGSTOP'): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has exited since.
  }
}
