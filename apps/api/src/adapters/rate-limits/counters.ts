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
