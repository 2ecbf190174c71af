import { createHmac, type KeyObject } from 'node:crypto';
import type { RateLimiterLike } from 'rate-limiter-flexible';
import type { Quota } from '../../ports/rate-limiter.ts';

/** A library limiter of one quota, over a store that all instances share. */
export type Counter = Pick<RateLimiterLike, 'penalty' | 'reward' | 'delete'>;

/** Creates the counter of a quota. */
export type CounterOf = (quota: Quota) => Counter;

/** Hashes a subject for the store, so that neither a table nor a backup contains addresses or emails. */
export function keyOf(
  subject: string,
  { name, secret }: { name: string; secret: KeyObject },
): string {
  return createHmac('sha256', secret).update(`${name} ${subject}`).digest('base64url');
}

/** How much clocks of instances may differ, in milliseconds. */
const skewMs = 60_000;

/** How much of a window may be left; more says that it began before a clock was set back, and that it would last too long. */
export function longestMs({ windowSeconds }: Quota): number {
  return windowSeconds * 1000 + skewMs;
}

/**
 * Counts in the current window of a key, or in a new one that lasts `seconds`.
 *
 * @returns the points of the window, and how long it lasts
 */
export async function countIn(
  counter: Counter,
  quota: Quota,
  {
    key,
    points = 1,
    seconds = quota.windowSeconds,
  }: { key: string; points?: number; seconds?: number },
) {
  const count = () => counter.penalty(key, points, { customDuration: seconds });
  const counted = await count();
  if (counted.msBeforeNext <= longestMs(quota)) return counted;
  await counter.delete(key);
  return count();
}
