import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Whether processes can be pinned to cores: on Linux with two cores or more. */
export const canPin = process.platform === 'linux' && availableParallelism() > 1 && hasTaskset();

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Wraps a command to run on the first core, which is reserved for the servers under test. */
export function onServerCore(command: readonly string[]): readonly string[] {
  return canPin ? ['taskset', '-c', '0', ...command] : command;
}

const otherCores = `1-${availableParallelism() - 1}`;

/** Moves a process and its future children away from the core of the servers. */
export function moveToOtherCores(pid: number): void {
  if (canPin) {
    execFileSync('taskset', ['-a', '-c', '-p', otherCores, String(pid)], { stdio: 'ignore' });
  }
}
