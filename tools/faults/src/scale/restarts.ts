import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Tally } from './tally.ts';

export interface Restarts {
  /** How many instances were killed. */
  readonly killed: number;
  /** How many instances were stopped gracefully. */
  readonly stopped: number;
  /** How often a process of the jobs was killed. */
  readonly jobsKilled: number;
  /** Exit codes other than 0 of graceful stops. */
  readonly findings: readonly string[];
}

const pauseMs = 3_000;
const awayMs = 1_000;

/**
 * Restarts one instance after the other until told to stop; never two at a time. Each is killed first and stopped
 * gracefully the next time.
 */
export async function restartInTurn(
  { instances, jobProcesses }: Cluster,
  tally: Tally,
  isOver: () => boolean,
): Promise<Restarts> {
  const count = { killed: 0, stopped: 0, jobsKilled: 0 };
  const findings: string[] = [];
  for (let turn = 0; ; turn += 1) {
    await delay(pauseMs);
    if (isOver()) return { ...count, findings };
    const index = Math.floor(turn / 2) % instances.length;
    const instance = instances[index];
    if (!instance) continue;
    const name = `api${index + 1}`;
    if (turn % 2 === 0) {
      tally.expectCuts(name);
      instance.kill();
      await instance.ended();
      count.killed += 1;
    } else {
      const code = await instance.stop();
      if (code !== 0) findings.push(`${name} exited with ${code} when stopped`);
      count.stopped += 1;
    }
    if (turn % instances.length === instances.length - 1) {
      await jobProcesses[count.jobsKilled % jobProcesses.length]?.restart();
      count.jobsKilled += 1;
    }
    await delay(awayMs);
    await instance.start();
  }
}
