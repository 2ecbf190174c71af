import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { activities, logPositions, users } from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';
import { historyOfTransactions, settledSnapshot } from '../../db/timeline.ts';
import { displayedColumns } from '../../domain/activity-view/queries/lists.ts';
import {
  beforeAll,
  isPositionOf,
  lockNumberOf,
  type PositionKey,
} from '../../domain/log-positions/queries.ts';
import type { LogFigure } from '../../ports/telemetry.ts';

/** Maximum number of rows that a consumer takes in one transaction. */
const maxRows = 500;

const organizationId = sql.placeholder('organizationId');
const consumer = sql.placeholder('consumer');

const lockOf = sql<boolean>`pg_try_advisory_xact_lock(${lockNumberOf({ organizationId, consumer })})`;

const tried = statement((db) => db.select({ isLocked: lockOf }).from(sql`(values (1)) as once`));

const positionNow = statement((db) =>
  db
    .select({
      transactionId: logPositions.transactionId,
      activityId: logPositions.activityId,
      isUnknown: sql<boolean>`(${logPositions.epoch} <> ${historyOfTransactions}
        or ${logPositions.transactionId} > pg_snapshot_xmax(pg_current_snapshot()))`,
      /** Every transaction below has ended, and later statements see its rows: none can appear before them any more. */
      settledBelow: sql<string>`pg_snapshot_xmin(${settledSnapshot(organizationId)})::text`,
    })
    .from(logPositions)
    .where(isPositionOf({ organizationId, consumer }))
    // A deletion of the organization waits until the rows are there that it has to delete. Locked: one is under way.
    .for('no key update', { skipLocked: true }),
);

export type LogPosition = Awaited<ReturnType<typeof positionNow>>[number];

/**
 * Takes the position of a consumer until the transaction ends.
 *
 * @returns `busy` if another process has it; null if the consumer doesn't follow the organization
 */
export async function takePosition(
  tx: Transaction,
  key: PositionKey,
): Promise<LogPosition | 'busy' | null> {
  // In this order: the position is read when it is locked.
  const [[lock], [position]] = await Promise.all([
    tried(tx, { ...key }),
    positionNow(tx, { ...key }),
  ]);
  if (!lock?.isLocked) return 'busy';
  return position ?? null;
}

const isSettled = sql<boolean>`(${activities.transactionId} < ${sql.placeholder('settledBelow')}::xid8)`;

const rowsAfter = statement((db) => {
  const found = db
    .select({
      id: activities.id,
      action: activities.action,
      organizationId: activities.organizationId,
      resourceType: activities.resourceType,
      resourceId: activities.resourceId,
      resourceName: activities.resourceName,
      changes: activities.changes,
      metadata: activities.metadata,
      requestId: activities.requestId,
      createdAt: activities.createdAt,
      actorId: activities.actorId,
      transactionId: activities.transactionId,
      isSettled: isSettled.as('is_settled'),
    })
    .from(activities)
    .where(
      and(
        eq(activities.organizationId, organizationId),
        sql`(${activities.transactionId}, ${activities.id})
          > (${sql.placeholder('transactionId')}::xid8, ${sql.placeholder('activityId')}::uuid)`,
      ),
    )
    .orderBy(asc(activities.transactionId), asc(activities.id))
    .limit(maxRows)
    .as('found');
  return db
    .select({
      ...displayedColumns(found),
      transactionId: found.transactionId,
      isSettled: found.isSettled,
    })
    .from(found)
    .leftJoin(users, eq(users.id, found.actorId))
    .orderBy(asc(found.transactionId), asc(found.id));
});

/** A row of the log as consumers get it. */
export type LogRow = Omit<Awaited<ReturnType<typeof rowsAfter>>[number], 'isSettled'>;

/**
 * Reads what an organization has committed after a position.
 *
 * @returns the rows that no other row can precede any more, in order, and whether there are more behind them
 */
export async function readRows(
  tx: Transaction,
  organizationId: string,
  position: Pick<LogPosition, 'transactionId' | 'activityId' | 'settledBelow'>,
): Promise<{ rows: LogRow[]; areMoreSettled: boolean; areMoreUnsettled: boolean }> {
  const { transactionId, activityId, settledBelow } = position;
  const found = await rowsAfter(tx, { organizationId, transactionId, activityId, settledBelow });
  const rows = found.filter((row) => row.isSettled);
  return {
    rows,
    areMoreSettled: rows.length === maxRows,
    areMoreUnsettled: rows.length < found.length,
  };
}

const advanced = statement((tx) =>
  tx
    .update(logPositions)
    .set({
      transactionId: sql`${sql.placeholder('transactionId')}::xid8`,
      activityId: sql`${sql.placeholder('activityId')}::uuid`,
      updatedAt: sql`${sql.placeholder('now')}::timestamptz`,
    })
    .where(isPositionOf({ organizationId, consumer })),
);

/** Moves a position to a row. The caller has taken the position. */
export async function advanceTo(
  tx: Transaction,
  key: PositionKey,
  { row, now }: { row: Pick<LogRow, 'transactionId' | 'id'>; now: Date },
): Promise<void> {
  await advanced(tx, {
    ...key,
    transactionId: row.transactionId,
    activityId: row.id,
    now: now.toISOString(),
  });
}

/** A consumer that follows organizations by itself. */
export interface Beginner {
  readonly name: string;
  /** Whether it also follows personal organizations. */
  readonly isEverywhere: boolean;
}

/** Lets consumers follow organizations that they don't follow yet, from the beginning of each. */
export async function beginIn(
  db: Executor,
  {
    consumers,
    organizations,
    now,
  }: {
    consumers: readonly Beginner[];
    organizations: { ids: readonly string[] } | { createdSince: Date };
    now: Date;
  },
): Promise<void> {
  const which =
    'createdSince' in organizations
      ? sql`organizations.created_at > ${organizations.createdSince.toISOString()}::timestamptz`
      : sql`organizations.id in ${[...organizations.ids]}`;
  // A locked organization may be about to be deleted; the next search finds it if it isn't.
  await db.execute(sql`
    insert into log_positions (organization_id, consumer, epoch, transaction_id, activity_id, updated_at)
    select organizations.id, consumer.name, ${historyOfTransactions}, '0', ${beforeAll}, ${now.toISOString()}::timestamptz
    from organizations, jsonb_to_recordset(${JSON.stringify(consumers)}::text::jsonb)
      as consumer(name text, "isEverywhere" boolean)
    where ${which} and (organizations.type = 'TEAM' or consumer."isEverywhere") and organizations.deleted_at is null
      and not exists (select from log_positions as known
        where known.organization_id = organizations.id and known.consumer = consumer.name)
      and pg_try_advisory_xact_lock_shared(authority_lock('organization row', organizations.id))
    for share of organizations skip locked
    on conflict do nothing`);
}

/** @returns those of the organizations that a consumer follows */
export async function followedAmong(db: Executor, organizationIds: readonly string[]) {
  const found = await db.execute<{ id: string }>(sql`
    select distinct organization_id as id from log_positions
    where organization_id in ${[...organizationIds]}`);
  return found.map(({ id }) => id);
}

const isBehind = sql`(activities.transaction_id, activities.id)
  > (log_positions.transaction_id, log_positions.activity_id)`;

/** @returns the organizations with rows of this time that a consumer hasn't taken */
export async function behindSince(db: Database, since: Date): Promise<string[]> {
  const found = await db.execute<{ id: string }>(sql`
    select distinct log_positions.organization_id as id
    from activities join log_positions on log_positions.organization_id = activities.organization_id
    where activities.created_at > ${since.toISOString()}::timestamptz and ${isBehind}`);
  return found.map(({ id }) => id);
}

/** Tells for each consumer how old the oldest row is that it hasn't taken; nothing of one that follows no organization. */
export async function readLags(db: Executor): Promise<LogFigure[]> {
  return db.execute<{ consumer: string; oldestSeconds: number }>(sql`
    select consumer, coalesce(extract(epoch from now() - oldest), 0)::float8 as "oldestSeconds"
    from log_lags() order by consumer`);
}
