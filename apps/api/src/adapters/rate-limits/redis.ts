import type { FastifyBaseLogger } from 'fastify';
import { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { Counter, CounterOf } from './counters.ts';

const timings = {
  /** Longer than any normal response; after that the request is counted in memory. */
  responseMs: 500,
  connectMs: 2_000,
  /** Time without data, pings included, after which a connection is replaced. */
  silenceMs: 5_000,
  pingMs: 2_000,
  reconnectMs: 1_000,
} as const;

/**
 * Counts in Redis. While it is unavailable or slow, each instance counts in its own memory instead.
 *
 * @param url - `redis:` or `rediss:` URL
 */
export async function connectRedisCounters(
  url: string,
  log: FastifyBaseLogger,
): Promise<{ counterOf: CounterOf; close(): void }> {
  // Load the client only if Redis is configured.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: timings.pingMs,
    socket: {
      connectTimeout: timings.connectMs,
      socketTimeout: timings.silenceMs,
      reconnectStrategy: () => timings.reconnectMs,
    },
  });
  reportOutages();
  // With a short timeout: the service starts without Redis, too.
  await Promise.race([client.connect().catch(() => {}), once(timings.connectMs)]);
  return { counterOf, close: () => client.destroy() };

  function counterOf({ name, limit, windowSeconds }: Parameters<CounterOf>[0]): Counter {
    const options = {
      keyPrefix: `atelier:rate-limit:${name}`,
      points: limit,
      duration: windowSeconds,
    };
    return new RLWrapperTimeouts({
      limiter: new RateLimiterRedis({
        ...options,
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
      }),
      timeoutMs: timings.responseMs,
      insuranceLimiter: new RateLimiterMemory(options),
    });
  }

  function reportOutages(): void {
    let isAway = false;
    client.on('error', (error: unknown) => {
      if (!isAway) log.error({ err: error }, 'Redis is away: rate limits count in memory');
      isAway = true;
    });
    client.on('ready', () => {
      if (isAway) log.info('Redis is back: rate limits are shared again');
      isAway = false;
    });
  }
}

function once(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs).unref());
}
