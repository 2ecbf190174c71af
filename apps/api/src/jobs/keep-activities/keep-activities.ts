import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Transaction } from '../../db/executor.ts';
import type { Clock } from '../../ports/clock.ts';
import { dropPartitions, makePartitions, waitBriefly, wasTooBusy } from './queries.ts';

/** Runs work on a connection of the owner of the tables, which ends with it. */
export type AsOwner = <Result>(work: (owner: Database) => Promise<Result>) => Promise<Result>;

interface KeepActivitiesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** The service itself may add activities, and take none away. */
  readonly asOwner: AsOwner;
}

/** Months that have their partition before they begin, so that a job that fails for weeks harms nobody. */
const monthsAhead = 3;

/**
 * Makes room for the activities of the months to come, and drops whole months whose time is over. Repeating it
 * changes nothing.
 *
 * @param retentionMonths - how long activities are kept at least; null: for ever
 * @see docs/decisions/0021-activities.md
 */
export async function keepActivities(
  { db, clock, log, asOwner }: KeepActivitiesDeps,
  retentionMonths: number | null,
): Promise<void> {
  const now = clock.now();
  const made = await inAQuietMoment(db, (tx) => makePartitions(tx, inMonths(now, monthsAhead)));
  if (made > 0) log.info({ made }, 'partitions of activities made');
  if (retentionMonths === null) return;
  const dropped = await asOwner((owner) =>
    inAQuietMoment(owner, (tx) => dropPartitions(tx, inMonths(now, -retentionMonths))),
  );
  if (dropped > 0) log.info({ dropped }, 'partitions of activities dropped');
}

const mostAttempts = 40;
const longestPauseMs = 1_000;

/** Tries until nobody is in the way; each attempt holds others up for less than a second. */
async function inAQuietMoment(
  db: Database,
  work: (tx: Transaction) => Promise<number>,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(async (tx) => {
        await waitBriefly(tx);
        return work(tx);
      });
    } catch (error) {
      if (attempt === mostAttempts || !wasTooBusy(error)) throw error;
      await delay(Math.random() * longestPauseMs);
    }
  }
}

/** The same day of another month (UTC), or the first days of the next where it is shorter. */
function inMonths(moment: Date, months: number): Date {
  const other = new Date(moment);
  other.setUTCMonth(other.getUTCMonth() + months);
  return other;
}
