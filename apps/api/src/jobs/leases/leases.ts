import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/executor.ts';
import { endLostLeases, renewLeases, type JobInHand } from './queries.ts';

export interface Leases {
  /** Holds the lease of a job until the work settles. */
  during<Result>(job: JobInHand, work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** Renewals per lease. */
const renewalsPerLease = 4;

/**
 * A worker holds a job as long as it renews the lease. If it crashes, or can't record the
 * result, the lease expires, and any other process returns the job to the queue.
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
      // After an outage of the database, every worker gets to renew before any lease expires.
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
