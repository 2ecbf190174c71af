import { sql, type SQL } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { withTimeout } from '../kernel/timeout.ts';
import type { Clock } from '../ports/clock.ts';
import type { DatabaseConnection } from './client.ts';
import type { Database } from './executor.ts';
import { accountActivities, activities } from './generated/schema.ts';
import { lastChangeIn, replayedTimeline, systemIdentifier, writtenTimeline } from './timeline.ts';

/** The changes that a read must include. */
export type ReadScope =
  | { readonly organizationId: string }
  /** The changes that a user made, in all organizations. */
  | { readonly actorId: string };

/** A streaming replica of the database, for reads. */
export interface Replica {
  /**
   * Returns the replica if it has every change of the scope that was committed before this call; else null.
   */
  upToDate(scope: ReadScope): Promise<Database | null>;
  /**
   * Waits for a read on the replica, but only while the replica is available.
   *
   * @throws ReplicaAway if it becomes unavailable or refuses the read
   */
  during<Result>(db: Database, reading: Promise<Result>): Promise<Result>;
  close(timeoutSeconds: number): Promise<void>;
}

/** The replica did not respond; the primary can. */
export class ReplicaAway extends Error {}

/** The replay progress of the replica. */
interface Horizon {
  /** The replica includes every transaction before this one. */
  readonly transactionId: bigint;
  /** The timeline that the transactions are of. */
  readonly timeline: string;
  /** When the primary was queried for it. */
  readonly takenAt: number;
  /** When the replica last responded. */
  readonly seenAt: number;
}

interface ReplicaOptions {
  readonly primary: Database;
  /** Opens the pool; called again after the connection is lost. */
  readonly connect: () => DatabaseConnection;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** Minimum interval between checks of the replica's progress. */
const measureIntervalMs = 100;
/** A horizon older than this is checked again before use: the address may now lead to another server. */
const horizonLastsMs = 5_000;
/** A replica that lags more than this is not used; see {@link recentMs}. */
const maxLagMs = 10 * 60 * 1_000;
/** Maximum duration of a check. */
const silenceMs = 1_000;
/** Minimum interval between attempts to reach an unavailable replica. */
const retryIntervalMs = 1_000;

/**
 * Reads from a replica only if it is known to have everything that the caller could have seen.
 *
 * The primary reports which transactions are over, and its current WAL position. Once the replica has replayed
 * the WAL of the same timeline that far, it includes them all. Each change records an activity in its transaction,
 * so one index lookup on the primary tells whether a scope has later changes. This needs no clocks and no writes.
 *
 * @see docs/decisions/0041-instances-and-read-replica.md
 */
export function createReplica({ primary, connect, clock, log }: ReplicaOptions): Replica {
  let connection: DatabaseConnection | null = null;
  let away = Promise.withResolvers<never>();
  away.promise.catch(() => {});
  let horizon: Horizon | null = null;
  let measuring: Promise<void> | null = null;
  let measureAfter = 0;
  let isAway = false;

  async function measure(): Promise<void> {
    connection ??= connect();
    const { db } = connection;
    try {
      horizon = await withTimeout(
        silenceMs,
        horizonOf(primary, db, horizon),
        () => new ReplicaAway('no response in time'),
      );
      measureAfter = performance.now() + measureIntervalMs;
      if (isAway) log.info('the replica responds again');
      isAway = false;
    } catch (err) {
      if (!isAway) log.warn({ err }, 'the replica is away; the primary responds');
      isAway = true;
      horizon = null;
      measureAfter = performance.now() + retryIntervalMs;
      giveUp();
    }
  }

  /** Connections to an unreachable machine would hang; the next check opens new ones. */
  function giveUp(): void {
    away.reject(new ReplicaAway('the replica does not respond'));
    away = Promise.withResolvers<never>();
    away.promise.catch(() => {});
    void connection?.close(0).catch(() => {});
    connection = null;
  }

  function measureSoon(): Promise<void> {
    if (measuring) return measuring;
    if (performance.now() < measureAfter) return Promise.resolve();
    measuring = measure().finally(() => (measuring = null));
    return measuring;
  }

  return {
    async upToDate(scope) {
      const looking = measureSoon();
      if (!isAway && (!horizon || performance.now() - horizon.seenAt > horizonLastsMs)) {
        await looking;
      }
      const known = horizon;
      const current = connection;
      if (!known || !current || performance.now() - known.takenAt > maxLagMs) return null;
      const last = await lastChange(primary, scope, clock.now());
      // After a promotion, the ids of lost transactions are given again.
      const isSameHistory = last.timeline === known.timeline;
      return isSameHistory && last.transactionId < known.transactionId ? current.db : null;
    },

    async during(db, reading) {
      reading.catch(() => {});
      if (connection?.db !== db) throw new ReplicaAway('the replica was given up');
      // Waiting readers keep checking the replica, even if there are no other requests.
      const watch = setInterval(() => void measureSoon(), measureIntervalMs);
      try {
        return await Promise.race([reading, away.promise]);
      } finally {
        clearInterval(watch);
      }
    },

    async close(timeoutSeconds) {
      await measuring;
      await connection?.close(timeoutSeconds);
    },
  };
}

/**
 * Queries the primary for finished transactions, and the replica for its progress.
 *
 * @returns the previous horizon if the replica has not come as far
 */
async function horizonOf(
  primary: Database,
  replica: Database,
  last: Horizon | null,
): Promise<Horizon | null> {
  const requestedAt = performance.now();
  // The snapshot is taken before the WAL position is read: the WAL contains every transaction that it sees as over.
  const [over] = await primary.execute<{
    before: string;
    position: string;
    cluster: string;
    timeline: string;
  }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as before, pg_current_wal_insert_lsn()::text as position,
      ${systemIdentifier} as cluster, ${writtenTimeline} as timeline`,
  );
  if (!over) throw new Error('the primary tells nothing of its log');
  const [reached] = await replica.execute<{
    isReplica: boolean;
    has: boolean | null;
    cluster: string;
    timeline: string;
  }>(
    sql`select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() >= ${over.position}::pg_lsn as has,
      ${systemIdentifier} as cluster, ${replayedTimeline} as timeline`,
  );
  // The replica may have been promoted, and diverge from there.
  if (reached?.isReplica !== true) throw new ReplicaAway('DATABASE_REPLICA_URL is no replica');
  // Positions of the log mean nothing to a server that follows another primary, such as the one before a failover.
  if (reached.cluster !== over.cluster || reached.timeline !== over.timeline) {
    throw new ReplicaAway('the replica follows another timeline than that of the primary');
  }
  if (reached.has !== true) return last && { ...last, seenAt: requestedAt };
  return {
    transactionId: BigInt(over.before),
    timeline: over.timeline,
    takenAt: requestedAt,
    seenAt: requestedAt,
  };
}

/** Returns the last transaction that changed anything in the scope, 0 when there is none, and its timeline. */
async function lastChange(primary: Database, scope: ReadScope, now: Date) {
  const [row] = await primary.execute<{ id: string; timeline: string }>(
    sql`select coalesce(${changedLast(scope, now)}, '0'::xid8)::text as id, ${writtenTimeline} as timeline`,
  );
  return { transactionId: BigInt(row?.id ?? 0), timeline: row?.timeline ?? '' };
}

/**
 * Age in milliseconds at which a user's changes are known to be on the replica: they were committed before the last
 * check, unless a transaction takes longer, or clocks differ by more, than the gap between this and {@link maxLagMs}.
 */
const recentMs = 60 * 60 * 1_000;

function changedLast(scope: ReadScope, now: Date): SQL {
  if ('organizationId' in scope) return lastChangeIn(scope.organizationId);
  const since = new Date(now.getTime() - recentMs).toISOString();
  const ofActor = (
    table: typeof activities | typeof accountActivities,
  ) => sql`(select max(${table.transactionId}) from ${table}
    where ${table.actorId} = ${scope.actorId} and ${table.createdAt} > ${since}::timestamptz)`;
  return sql`greatest(${ofActor(activities)}, ${ofActor(accountActivities)})`;
}
