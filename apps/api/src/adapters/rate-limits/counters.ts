import { createHmac, type KeyObject } from 'node:crypto';
import type { RateLimiterLike } from 'rate-limiter-flexible';
import type { Quota } from '../../ports/rate-limiter.ts';

/** A library limiter of one quota, over a store that all instances share. */
export type Counter = Pick<RateLimiterLike, 'penalty' | 'reward' | 'delete'>;

/** Makes the counter of a quota. */
export type CounterOf = (quota: Quota) => Counter;

/** What the store sees of a subject: no address and no mailbox, in a table or in a backup. */
export function keyOf(
  subject: string,
  { name, secret }: { name: string; secret: KeyObject },
): string {
  return createHmac('sha256', secret).update(`${name} ${subject}`).digest('base64url');
}
