import { sql, type Placeholder } from 'drizzle-orm';
import { activities } from './generated/schema.ts';

/**
 * The timeline that a primary writes, 8 hexadecimal digits. Each promotion begins another one, on which the ids of
 * transactions that were lost are given again. Fails on a server in recovery.
 */
// The control file names a new timeline only after the next checkpoint.
export const writtenTimeline = sql<string>`left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

/**
 * The timeline that a replica replays, in the same form. After a promotion the replica shows it late, with its next
 * restart point, or when it next writes a changed page.
 */
export const replayedTimeline = sql<string>`upper(lpad(to_hex(greatest(
  (select timeline_id from pg_control_checkpoint()),
  (select min_recovery_end_timeline from pg_control_recovery()))), 8, '0'))`;

/** The cluster; replicas have that of their primary. */
export const systemIdentifier = sql<string>`(select system_identifier::text from pg_control_system())`;

const thisDatabase = sql`(select oid from pg_database where datname = current_database())`;

/**
 * Identifies the history that transaction ids are of: the cluster, its timeline, the database and the table. A restore
 * changes one of them at least, and a promotion the timeline.
 */
export const historyOfTransactions = sql<string>`concat_ws('.', ${systemIdentifier}, ${writtenTimeline},
  ${thisDatabase}, 'activities'::regclass::oid)`;

/** When the server last recovered from a crash, which resets the statistics, or had them reset by hand. */
const lastRecovery = sql<string>`extract(epoch from pg_stat_get_bgwriter_stat_reset_time())`;

/**
 * Identifies the history that transaction ids are of, as long as none is given again: {@link historyOfTransactions}, and after
 * each recovery from a crash another one. Ids that had not reached the disk are given again then: of transactions that
 * were aborted, and on a distributed database also of those that changed rows of a worker only.
 */
export const historySinceRecovery = sql<string>`concat_ws('.', ${historyOfTransactions}, ${lastRecovery})`;

/** Another for each server, and after each of its starts. */
export const startOfServer = sql<string>`extract(epoch from pg_postmaster_start_time())`;

/**
 * Identifies a running server, the database and the table: {@link historyOfTransactions} for a fraction of its cost, and
 * another after each start, so also for another server, and after each recovery: a server restarts its processes by itself,
 * too.
 */
export const runOfServer = sql<string>`concat_ws('.', ${startOfServer},
  ${lastRecovery},
  ${thisDatabase}, 'activities'::regclass::oid)`;

/** The transactions whose rows of an organization every later statement sees, on whichever server they are. */
export const settledSnapshot = (organizationId: string | Placeholder) =>
  sql<string>`settled_snapshot(${organizationId}::uuid)`;

/** Every transaction with a smaller id has ended; what it wrote is visible to the statement, or never will be. */
export const nextUnsettled = sql<string>`pg_snapshot_xmin(pg_current_snapshot())`;

/** The last transaction that changed something in an organization, by one step in an index; 0 when there is none. */
export const lastChangeIn = (organizationId: string | Placeholder) =>
  sql<string>`coalesce((select max(${activities.transactionId}) from ${activities}
    where ${activities.organizationId} = ${organizationId}), '0'::xid8)`;
