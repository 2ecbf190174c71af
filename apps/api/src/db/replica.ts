import { sql, type SQL } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../ports/clock.ts';
import type { DatabaseConnection } from './client.ts';
import type { Database } from './executor.ts';
import { activities } from './generated/schema.ts';

/** Whose changes a read shows, and may not lack. */
export type ReadScope =
  | { readonly organizationId: string }
  /** What somebody did, in all organizations. */
  | { readonly actorId: string };

/** A streaming replica of the database, for reads. */
export interface Replica {
  /**
   * The replica, if it has every change of the scope that was committed before this call; else null.
   */
  upToDate(scope: ReadScope): Promise<Database | null>;
  /**
   * Waits for a read on the replica, and no longer than the replica is there.
   *
   * @throws ReplicaAway when it is not, or refuses the read
   */
  during<Answer>(db: Database, reading: Promise<Answer>): Promise<Answer>;
  close(timeoutSeconds: number): Promise<void>;
}

/** The replica did not answer; the primary can. */
export class ReplicaAway extends Error {}

/** How far the replica has come. */
interface Horizon {
  /** The replica shows everything that transactions before this one did. */
  readonly transactionId: bigint;
  /** When the primary was asked for it. */
  readonly takenAt: number;
  /** When the replica last answered. */
  readonly seenAt: number;
}

interface ReplicaOptions {
  readonly primary: Database;
  /** Opens the pool; called again after it was lost. */
  readonly connect: () => DatabaseConnection;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** Least time between two looks at how far the replica is. */
const measureEveryMs = 100;
/** A horizon so old is not believed without a new look: another server may answer at the address. */
const horizonLastsMs = 5_000;
/** A replica that is further behind is not asked; see {@link recentMs}. */
const mostLagMs = 10 * 60 * 1_000;
/** Longest that a look may take. */
const silenceMs = 1_000;
/** Least time between two tries to reach a replica that is away. */
const retryEveryMs = 1_000;

/**
 * A replica that is only asked when it can be known to have what the caller could have seen.
 *
 * The primary says which transactions are over, and where its log stands then. Once the replica has replayed
 * the log that far, it shows them all. Each change leaves an activity with its transaction, so one look at an
 * index of the primary tells whether a scope has any later ones. No clocks, and nothing to be written.
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
      horizon = await within(silenceMs, () => horizonOf(primary, db, horizon));
      measureAfter = performance.now() + measureEveryMs;
      if (isAway) log.info('the replica answers again');
      isAway = false;
    } catch (err) {
      if (!isAway) log.warn({ err }, 'the replica is away; the primary answers');
      isAway = true;
      horizon = null;
      measureAfter = performance.now() + retryEveryMs;
      giveUp();
    }
  }

  /** Connections to a machine that is gone would be waited for; the next look makes new ones. */
  function giveUp(): void {
    away.reject(new ReplicaAway('the replica does not answer'));
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
      if (!known || !current || performance.now() - known.takenAt > mostLagMs) return null;
      const last = await lastChange(primary, scope, clock.now());
      return last < known.transactionId ? current.db : null;
    },

    async during(db, reading) {
      reading.catch(() => {});
      if (connection?.db !== db) throw new ReplicaAway('the replica was given up');
      // Who waits looks after the replica, even if nobody else calls.
      const watch = setInterval(() => void measureSoon(), measureEveryMs);
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
 * Asks the primary which transactions are over, and the replica whether it has come as far.
 *
 * @returns the last horizon where the replica has not
 */
async function horizonOf(
  primary: Database,
  replica: Database,
  last: Horizon | null,
): Promise<Horizon | null> {
  const askedAt = performance.now();
  // The snapshot is taken before the position of the log is read: what it sees as over is in the log.
  const [over] = await primary.execute<{ before: string; position: string }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as before, pg_current_wal_insert_lsn()::text as position`,
  );
  if (!over) throw new Error('the primary tells nothing of its log');
  const [reached] = await replica.execute<{ isReplica: boolean; has: boolean | null }>(
    sql`select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() >= ${over.position}::pg_lsn as has`,
  );
  // It may have been made a primary of its own, and go other ways from there.
  if (reached?.isReplica !== true) throw new ReplicaAway('DATABASE_REPLICA_URL is no replica');
  if (reached.has !== true) return last && { ...last, seenAt: askedAt };
  return { transactionId: BigInt(over.before), takenAt: askedAt, seenAt: askedAt };
}

/** The last transaction that changed anything in the scope; 0 when there is none. */
async function lastChange(primary: Database, scope: ReadScope, now: Date): Promise<bigint> {
  const [row] = await primary.execute<{ id: string }>(
    sql`select coalesce(max(${activities.transactionId}), '0'::xid8)::text as id from ${activities} where ${changesIn(scope, now)}`,
  );
  return BigInt(row?.id ?? 0);
}

/**
 * Somebody's changes before that are on the replica: they were committed before it was last looked at,
 * unless a transaction takes longer, or clocks differ by more, than this and {@link mostLagMs} are apart.
 */
const recentMs = 60 * 60 * 1_000;

function changesIn(scope: ReadScope, now: Date): SQL {
  if ('organizationId' in scope) return sql`${activities.organizationId} = ${scope.organizationId}`;
  const since = new Date(now.getTime() - recentMs).toISOString();
  return sql`${activities.actorId} = ${scope.actorId} and ${activities.createdAt} > ${since}::timestamptz`;
}

async function within<Answer>(ms: number, ask: () => Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ReplicaAway('no answer in time')), ms);
  });
  try {
    return await Promise.race([ask(), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
