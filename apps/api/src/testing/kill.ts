import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Kills a process and waits for its end. One that has ended already is no error. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
