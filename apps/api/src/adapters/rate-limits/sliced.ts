import type { KeyObject } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports/clock.ts';
import type { Draw, Quota } from '../../ports/rate-limiter.ts';
import { countIn, keyOf, longestMs, type CounterOf } from './counters.ts';

/** Share of the limit that an instance may count before it reports. */
const sliceOfLimit = 1 / 20;

/** Maximum number of tracked subjects; the least recent are evicted, with less than a slice each. */
const maxSubjects = 50_000;

interface Window {
  endsAt: number;
  /** The last value of the shared counter. */
  reported: number;
  /** Local count since then; less than a slice. */
  unreported: number;
  /** The pending report. */
  reporting: Promise<void> | null;
}

/**
 * Counts one quota in this process and reports to the shared store once per slice of 5 % of the
 * limit, so that most requests need no round trip.
 *
 * A single instance is exact. Of N instances, each may miss less than one slice of every other,
 * so that together they allow less than N - 1 slices over the limit. A limit below 40 is exact.
 */
export function slicedQuota(
  quota: Quota,
  {
    counterOf,
    clock,
    secret,
    log,
  }: { counterOf: CounterOf; clock: Clock; secret: KeyObject; log: FastifyBaseLogger },
) {
  const counter = counterOf(quota);
  const slice = Math.max(1, Math.floor(quota.limit * sliceOfLimit));
  const windows = new LRUCache<string, Window>({ max: maxSubjects });

  return {
    async draw(subject: string): Promise<Draw> {
      let window = currentWindow(subject);
      while (window.reporting) {
        await window.reporting;
        window = currentWindow(subject);
      }
      if (used(window) >= quota.limit) return drawn(subject, window, 'refused');
      window.unreported += 1;
      if (window.unreported < slice) return drawn(subject, window, 'allowed');

      window.reporting = report(subject, window);
      await window.reporting;
      return drawn(subject, window, used(window) > quota.limit ? 'refused' : 'allowed');
    },
  };

  function currentWindow(subject: string): Window {
    const now = clock.now().getTime();
    const known = windows.get(subject);
    if (known && (known.reporting || isCurrent(known.endsAt - now))) return known;
    const window: Window = {
      endsAt: now + quota.windowSeconds * 1000,
      reported: 0,
      unreported: 0,
      reporting: null,
    };
    windows.set(subject, window);
    return window;
  }

  function isCurrent(leftMs: number): boolean {
    return leftMs > 0 && leftMs <= longestMs(quota);
  }

  async function report(subject: string, window: Window): Promise<void> {
    const count = window.unreported;
    try {
      const key = keyOf(subject, { name: quota.name, secret });
      // A shared window begins when the first instance starts to count, not at its first report.
      const leftSeconds = (window.endsAt - clock.now().getTime()) / 1000;
      const seconds = Math.min(quota.windowSeconds, Math.max(1, leftSeconds));
      const counted = await countIn(counter, quota, { key, points: count, seconds });
      const { consumedPoints, msBeforeNext } = counted;
      window.reported = consumedPoints;
      window.endsAt = clock.now().getTime() + msBeforeNext;
    } catch (error) {
      // Counts that can't be reported still apply locally. An unavailable counter does not refuse requests.
      log.warn({ err: error }, 'a rate limit could not be shared');
      window.reported += count;
    } finally {
      window.unreported -= count;
      window.reporting = null;
    }
  }

  function drawn(subject: string, window: Window, outcome: 'allowed' | 'refused'): Draw {
    return {
      quota,
      subject,
      isAllowed: outcome === 'allowed',
      remaining: Math.max(0, quota.limit - used(window)),
      resetsAt: new Date(window.endsAt),
    };
  }
}

function used({ reported, unreported }: Window): number {
  return reported + unreported;
}
