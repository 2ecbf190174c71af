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

const allCores = `0-${availableParallelism() - 1}`;
const otherCores = `1-${availableParallelism() - 1}`;

/** Moves a process, and what it will start, away from the servers: the generator and the database. */
export function moveToOtherCores(pid: number): void {
  place(pid, otherCores);
}

/** Gives a server every core, for work that its threads do. */
export function letOnAnyCore(pid: number): void {
  place(pid, allCores);
}

/** Takes {@link letOnAnyCore} back. */
export function keepOnServerCore(pid: number): void {
  place(pid, '0');
}

function place(pid: number, cores: string): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
}
