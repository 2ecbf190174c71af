import type { KeyObject } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock } from '../../ports/clock.ts';
import type { QuotaName, RateLimiter } from '../../ports/rate-limiter.ts';
import type { CounterOf } from './counters.ts';
import { quotaOf } from './quotas.ts';
import { sharedQuota } from './shared.ts';
import { slicedQuota } from './sliced.ts';
import { unlimited } from './unlimited.ts';

interface LimiterOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** The key of the hashes under which subjects are counted. */
  readonly secret: KeyObject;
}

/** The configured limiter, and a function that closes its store. */
export async function createRateLimiter(
  options: LimiterOptions,
  postgresCounterOf: CounterOf,
): Promise<{ rateLimiter: RateLimiter; close(): void }> {
  const { config, log } = options;
  if (!config.RATE_LIMIT_ENABLED) return { rateLimiter: unlimited, close: () => {} };
  if (config.REDIS_URL === undefined) {
    return { rateLimiter: limiterOver(postgresCounterOf, options), close: () => {} };
  }
  const { connectRedisCounters } = await import('./redis.ts');
  const { counterOf, close } = await connectRedisCounters(config.REDIS_URL, log);
  return { rateLimiter: limiterOver(counterOf, options), close };
}

function limiterOver(
  counterOf: CounterOf,
  { config, clock, log, secret }: LimiterOptions,
): RateLimiter {
  const parts = { counterOf, clock, log, secret };
  const shared = (name: QuotaName) => sharedQuota(quotaOf(name, config), parts);
  const exact = {
    'login-address': shared('login-address'),
    'login-account': shared('login-account'),
    'second-factor-account': shared('second-factor-account'),
    'register-address': shared('register-address'),
    'register-mailbox': shared('register-mailbox'),
    'password-reset-address': shared('password-reset-address'),
    'password-reset-mailbox': shared('password-reset-mailbox'),
    'refresh-address': shared('refresh-address'),
    'leaked-key-address': shared('leaked-key-address'),
    'invitation-inviter': shared('invitation-inviter'),
    'invitation-mailbox': shared('invitation-mailbox'),
    search: shared('search'),
    suggest: shared('suggest'),
    'search-rebuild': shared('search-rebuild'),
    'share-password-network': shared('share-password-network'),
    'share-password': shared('share-password'),
    'share-ticket': shared('share-ticket'),
    'share-comment-ticket': shared('share-comment-ticket'),
    'share-comment': shared('share-comment'),
  };
  // Many requests draw from each of them.
  const sliced = {
    default: slicedQuota(quotaOf('default', config), parts),
    'share-network': slicedQuota(quotaOf('share-network', config), parts),
  };
  return {
    draw: (name, subject) =>
      isIn(sliced, name) ? sliced[name].draw(subject) : exact[name].draw(subject),
    async release(draw) {
      const { name } = draw.quota;
      if (!isIn(sliced, name)) await exact[name].release(draw);
    },
    async settle(draw) {
      const { name } = draw.quota;
      if (!isIn(sliced, name)) await exact[name].settle(draw);
    },
    async isSpent(draw) {
      const { name } = draw.quota;
      return isIn(sliced, name) ? !draw.isAllowed : exact[name].isSpent(draw);
    },
    async clear(name, subject) {
      if (!isIn(sliced, name)) await exact[name].clear(subject);
    },
  };
}

function isIn<Names extends object>(
  named: Names,
  name: QuotaName,
): name is keyof Names & QuotaName {
  return name in named;
}
