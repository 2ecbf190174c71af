import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Transaction } from '../../db/executor.ts';
import type { Batches } from '../../domain/batches/queries.ts';
import { recordFormerAddressees } from '../../domain/erased-text/erase.ts';
import { inMonths } from '../../kernel/durations.ts';
import type { Clock } from '../../ports/clock.ts';
import { dropPartitions, makePartitions, waitBriefly, wasTooBusy } from './queries.ts';

/** Runs work on a connection of the tables' owner, and closes it afterwards. */
export type AsOwner = <Result>(work: (owner: Database) => Promise<Result>) => Promise<Result>;

interface KeepActivitiesDeps extends Batches {
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** The service itself may insert activities, but not delete them. */
  readonly asOwner: AsOwner;
}

/** Number of months with a partition in advance, so that a job that fails for weeks does no harm. */
const monthsAhead = 3;

/**
 * Creates the partitions of activities for the next months, and drops expired ones.
 * Idempotent.
 *
 * @param retentionMonths - minimum retention of activities; `null` = no expiry
 * @see docs/decisions/0021-activities.md
 */
export async function keepActivities(
  { db, clock, log, asOwner, signal }: KeepActivitiesDeps,
  retentionMonths: number | null,
): Promise<void> {
  const now = clock.now();
  const made = await whenIdle({ db, signal }, (tx) =>
    makePartitions(tx, inMonths(now, monthsAhead)),
  );
  if (made > 0) log.info({ made }, 'partitions of activities made');
  if (retentionMonths === null) return;
  const before = inMonths(now, -retentionMonths);
  await recordFormerAddressees({ db, signal }, before);
  const dropped = await asOwner((owner) =>
    whenIdle({ db: owner, signal }, (tx) => dropPartitions(tx, before)),
  );
  if (dropped > 0) log.info({ dropped }, 'partitions of activities dropped');
}

const maxAttempts = 40;
const longestPauseMs = 1_000;

/** Retries until it gets the locks; each attempt blocks others for less than a second. */
async function whenIdle(
  { db, signal }: Batches,
  work: (tx: Transaction) => Promise<number>,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await db.transaction(async (tx) => {
        await waitBriefly(tx);
        return work(tx);
      });
    } catch (error) {
      if (attempt === maxAttempts || !wasTooBusy(error)) throw error;
      // The next attempt says why it was interrupted.
      await delay(Math.random() * longestPauseMs, undefined, { signal }).catch(() => {});
    }
  }
}
