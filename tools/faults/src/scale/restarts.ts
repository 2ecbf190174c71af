import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Tally } from './tally.ts';

export interface Restarts {
  /** Instances that were killed amid their work. */
  readonly killed: number;
  /** Instances that were told to stop. */
  readonly stopped: number;
  /** How often the process of the jobs was killed. */
  readonly jobsKilled: number;
  /** Exit codes other than 0 of those told to stop. */
  readonly findings: readonly string[];
}

const pauseMs = 3_000;
const awayMs = 1_000;

/**
 * Ends one instance after the other and starts it again, until told to stop; never two at a time. Each is killed, then
 * told to stop.
 */
export async function restartInTurn(
  { instances, jobs }: Cluster,
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
      if (code !== 0) findings.push(`${name} ended with ${code} when told to stop`);
      count.stopped += 1;
    }
    if (turn % instances.length === instances.length - 1) {
      await jobs.restart();
      count.jobsKilled += 1;
    }
    await delay(awayMs);
    await instance.start();
  }
}
