import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { Draw, Quota } from '../../ports/rate-limiter.ts';
import { countIn, keyOf, type CounterOf } from './counters.ts';

/** Counts one quota in the shared store on every draw: exact for any number of instances. */
export function sharedQuota(
  quota: Quota,
  { counterOf, clock, secret }: { counterOf: CounterOf; clock: Clock; secret: KeyObject },
) {
  const counter = counterOf(quota);
  const key = (subject: string) => keyOf(subject, { name: quota.name, secret });
  const settledKey = (subject: string) => keyOf(subject, { name: `settled ${quota.name}`, secret });

  return {
    async draw(subject: string): Promise<Draw> {
      const { consumedPoints, msBeforeNext } = await countIn(counter, quota, {
        key: key(subject),
      });
      const draw: Draw = {
        quota,
        subject,
        isAllowed: consumedPoints <= quota.limit,
        remaining: Math.max(0, quota.limit - consumedPoints),
        resetsAt: new Date(clock.now().getTime() + msBeforeNext),
      };
      // Otherwise a burst of refused requests would keep the quota exhausted after others have returned their draws.
      if (!draw.isAllowed) await release(draw);
      return draw;
    },
    release,
    async settle(draw: Draw): Promise<void> {
      await countSettled(draw, 1);
    },
    async isSpent(draw: Draw): Promise<boolean> {
      return (await countSettled(draw, 0)) >= quota.limit;
    },
    async clear(subject: string): Promise<void> {
      await counter.delete(key(subject));
      await counter.delete(settledKey(subject));
    },
  };

  /** Counts until the window of the draw ends, so that both counters begin anew together. */
  async function countSettled({ subject, resetsAt }: Draw, points: number): Promise<number> {
    const leftSeconds = (resetsAt.getTime() - clock.now().getTime()) / 1000;
    if (leftSeconds <= 0) return 0;
    const window = { key: settledKey(subject), points, seconds: Math.max(1, leftSeconds) };
    return (await countIn(counter, quota, window)).consumedPoints;
  }

  async function release({ subject, resetsAt }: Draw): Promise<void> {
    // The draw's window is over: returning it would start the next counter below zero.
    if (clock.now() >= resetsAt) return;
    const { consumedPoints } = await counter.reward(key(subject));
    // Cleared in between: nothing was drawn from this counter, and it must not have a credit.
    if (consumedPoints < 0) await counter.penalty(key(subject));
  }
}
