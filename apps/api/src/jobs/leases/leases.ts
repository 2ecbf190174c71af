import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/executor.ts';
import { endLostLeases, renewLeases, type JobInHand } from './queries.ts';

export interface Leases {
  /** Keeps a job with those who have it in hand until the work settles. */
  during<Result>(job: JobInHand, work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** Renewals within the length of a lease. */
const renewalsPerLease = 4;

/**
 * A job in the hands of somebody belongs to them as long as they are heard of. Whoever dies with one in
 * hand, or can't note what became of it, falls silent, and any other process gives it to the next.
 *
 * @see docs/decisions/0009-jobs-and-mailed-tokens.md
 */
export function keepLeases({
  db,
  log,
  leaseSeconds,
}: {
  db: Database;
  log: FastifyBaseLogger;
  leaseSeconds: number;
}): Leases {
  const inHand = new Set<JobInHand>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let isSteady = false;

  async function keep(): Promise<void> {
    try {
      await renewLeases(db, [...inHand]);
      // Where the database was away for everybody, everybody gets to renew before anybody is given up.
      if (isSteady) {
        const jobIds = await endLostLeases(db, leaseSeconds);
        if (jobIds.length > 0) log.warn({ jobIds }, 'jobs in lost hands run again');
      }
      isSteady = true;
    } catch (err) {
      isSteady = false;
      log.warn({ err }, 'the leases of jobs could not be kept');
    }
  }
  const kept = (async () => {
    while (!signal.aborted) {
      await keep();
      const intervalMs = (leaseSeconds * 1_000) / renewalsPerLease;
      await delay(intervalMs, undefined, { signal }).catch(() => {});
    }
  })();

  return {
    async during(job, work) {
      inHand.add(job);
      try {
        return await work();
      } finally {
        inHand.delete(job);
      }
    },
    async stop() {
      stopping.abort();
      await kept;
    },
  };
}
