import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Whether processes can be kept on cores of their own: on Linux, with two cores or more. */
export const canPin = process.platform === 'linux' && availableParallelism() > 1 && hasTaskset();

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The command on the first core, which the servers under test have for themselves. */
export function onServerCore(command: readonly string[]): readonly string[] {
  return canPin ? ['taskset', '-c', '0', ...command] : command;
}

const otherCores = `1-${availableParallelism() - 1}`;

/** Moves a process, and what it will start, away from the servers: the generator and the database. */
export function moveToOtherCores(pid: number): void {
  if (canPin) {
    execFileSync('taskset', ['-a', '-c', '-p', otherCores, String(pid)], { stdio: 'ignore' });
  }
}
