import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/executor.ts';
import type { Clock } from '../../ports/clock.ts';
import { renewLeases, type HeldKey } from './queries.ts';
import { repeatWhile } from './repeat-while.ts';

/** When an attempt counts as crashed that doesn't renew its lease, in seconds. */
const leaseSeconds = 20;
/** How long an attempt works before its lease is renewed, and between two renewals, in milliseconds. */
const renewalMs = 5_000;

/** The leases of this process on the keys of attempts that are under way. */
export interface KeyLeases {
  /** Returns when a lease ends that begins or is renewed now. */
  end(): Date;
  /** Renews the lease of a key until the work settles. */
  during<Result>(key: HeldKey, work: () => Promise<Result>): Promise<Result>;
}

/**
 * A killed process renews nothing: its keys are free soon. A slow attempt keeps its key as long as it works. Most attempts
 * are shorter than a renewal, and cost no statement.
 */
export function createKeyLeases({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
}): KeyLeases {
  const startedAt = new Map<HeldKey, number>();

  const end = () => new Date(clock.now().getTime() + leaseSeconds * 1_000);

  async function renewSlow(): Promise<void> {
    const before = performance.now() - renewalMs / 2;
    const slow = [...startedAt].filter(([, at]) => at <= before).map(([key]) => key);
    if (slow.length === 0) return;
    await renewLeases(db, slow, end()).catch((err: unknown) => {
      log.warn({ err }, 'the leases of idempotency keys could not be renewed');
    });
  }
  const keepRenewing = repeatWhile(() => startedAt.size > 0, {
    pauseMs: renewalMs,
    work: renewSlow,
  });

  return {
    end,
    async during(key, work) {
      startedAt.set(key, performance.now());
      keepRenewing();
      try {
        return await work();
      } finally {
        startedAt.delete(key);
      }
    },
  };
}
