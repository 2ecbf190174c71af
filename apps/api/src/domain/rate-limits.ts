import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../kernel/errors.ts';
import type { Draw } from '../ports/rate-limiter.ts';

/** Returns whole seconds, at least one: a client that waits that long finds a new window. */
export function secondsLeft({ resetsAt }: Draw, now: Date): number {
  return Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000));
}

/** Builds the refusal of a quota from which others have drawn what they will give back. */
export function limitInUse(): Failure {
  return new Failure('rate_limited', { headers: { 'retry-after': '1' } });
}

/** Builds the refusal of an exhausted quota. */
export function limitReached(draw: Draw, now: Date): Failure {
  return new Failure('rate_limited', {
    headers: { 'retry-after': String(secondsLeft(draw, now)) },
  });
}

type Counting = Pick<Deps, 'rateLimiter'> & { readonly log: Pick<FastifyBaseLogger, 'warn'> };

/**
 * Gives draws back when what they are for is already determined: an unavailable counter doesn't change it.
 *
 * @returns whether that succeeded
 */
export async function giveBack(
  draws: readonly Draw[],
  { rateLimiter, log }: Counting,
): Promise<boolean> {
  try {
    await Promise.all(draws.map((draw) => rateLimiter.release(draw)));
    return true;
  } catch (error) {
    log.warn({ err: error }, 'a rate limit could not be given back');
    return false;
  }
}

/** Notes that draws won't be given back. An unavailable counter doesn't change what they were for. */
export async function settle(
  draws: readonly Draw[],
  { rateLimiter, log }: Counting,
): Promise<void> {
  try {
    await Promise.all(draws.map((draw) => rateLimiter.settle(draw)));
  } catch (error) {
    log.warn({ err: error }, 'what a rate limit was used for could not be noted');
  }
}
