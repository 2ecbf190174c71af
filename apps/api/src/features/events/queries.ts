import type { Role } from '@atelier/contract';
import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { statement } from '../../db/session/statement.ts';
import { historySinceRecovery, settledSnapshot } from '../../db/timeline.ts';
import { activities, users } from '../../db/generated/schema.ts';
import { ownerOf } from '../../domain/activity-view/queries/rows.ts';
import { isAcceptedAt } from '../../domain/authority/queries.ts';
import { countUnread } from '../../domain/notifications/queries/inbox.ts';
import { hasRequiredFactorAt } from '../../domain/second-factor/queries.ts';
import type { DatabaseSnapshot, Position } from './positions.ts';

/** Maximum number of changes that a stream replays; one more means that there are too many. */
export const maxChanges = 500;

/** The parts of a stream that decide its access. */
export interface Standing {
  readonly credentialId: string;
  readonly userId: string;
  readonly organizationId: string;
}

/** No transaction and no activity is earlier than these. */
const beforeAll = { transactionId: '0', id: '00000000-0000-0000-0000-000000000000' };

const actor = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
};

const snapshotNow = statement((db) =>
  db
    .select({
      epoch: historySinceRecovery,
      snapshot: sql<string>`${settledSnapshot(sql.placeholder('organizationId'))}::text`,
    })
    .from(sql`(values (1)) as once`),
);

const changesNow = statement((db) => {
  // After a restore from a dump, rows may name transactions that this server has not started yet.
  const unseen = chosen(db, and(notIn('seen'), isIn('upTo')));
  return db
    .select({ ...columnsOf(unseen), actor })
    .from(unseen)
    .leftJoin(users, eq(users.id, unseen.actorId))
    .orderBy(asc(unseen.transactionId), asc(unseen.id));
});

const changesMissed = statement((db) => {
  const missed = chosen(
    db,
    and(
      notIn('seen'),
      isIn('upTo'),
      sql`not (pg_visible_in_snapshot(${activities.transactionId}, ${sql.placeholder('batch')}::pg_snapshot)
        and (${activities.transactionId}, ${activities.id})
          <= (${sql.placeholder('transactionId')}::xid8, ${sql.placeholder('id')}::uuid))`,
    ),
  );
  const isOfBatch = sql<boolean>`pg_visible_in_snapshot(${missed.transactionId}, ${sql.placeholder('batch')}::pg_snapshot)`;
  return db
    .select({ change: columnsOf(missed), actor, isOfBatch })
    .from(missed)
    .leftJoin(users, eq(users.id, missed.actorId))
    .orderBy(desc(isOfBatch), asc(missed.transactionId), asc(missed.id));
});

export function eventQueries(db: Database) {
  async function currentSnapshot(organizationId: string): Promise<DatabaseSnapshot> {
    const [row] = await snapshotNow(db, { organizationId });
    if (!row) throw new Error('the database tells nothing of its transactions');
    return row;
  }

  return {
    currentSnapshot,

    /** What an organization committed since a snapshot, and the snapshot up to which that is all. */
    async changesSince(organizationId: string, seen: string) {
      // First, so that what it includes is there to be read.
      const current = await currentSnapshot(organizationId);
      const changes = await changesNow(db, { organizationId, seen, upTo: current.snapshot });
      return { current, changes };
    },

    /** Reads the changes between a position and a snapshot, starting with the rest of the position's batch. */
    async changesBetween(
      organizationId: string,
      { seen, within }: Pick<Position, 'seen' | 'within'>,
      upTo: string,
    ) {
      const { batch, transactionId, id } = within ?? { ...beforeAll, batch: seen };
      const found = await changesMissed(db, {
        organizationId,
        seen,
        upTo,
        batch,
        transactionId,
        id,
      });
      return found.map(({ change, actor, isOfBatch }) => ({ ...change, actor, isOfBatch }));
    },

    /** Selects the organizations that have committed since their snapshot, or whose snapshot is of another history. */
    async changedAmong(snapshots: ReadonlyMap<string, DatabaseSnapshot>): Promise<string[]> {
      const requested = [...snapshots].map(([id, { epoch, snapshot }]) => ({
        id,
        epoch,
        seen: snapshot,
      }));
      const [current] = await db.execute<{ epoch: string; snapshot: string }>(sql`
        select ${historySinceRecovery} as epoch, pg_current_snapshot()::text as snapshot`);
      const found = await db.execute<{ id: string }>(sql`
        select distinct activities.organization_id as id
        from jsonb_to_recordset(${JSON.stringify(requested)}::text::jsonb) as asked(id uuid, seen pg_snapshot)
        join activities on activities.organization_id = asked.id
        where activities.transaction_id >= pg_snapshot_xmin(asked.seen)
          and not pg_visible_in_snapshot(activities.transaction_id, asked.seen)
          and pg_visible_in_snapshot(activities.transaction_id, ${current?.snapshot ?? null}::pg_snapshot)`);
      const ofAnother = requested.filter(({ epoch }) => epoch !== current?.epoch);
      return [...new Set([...ofAnother, ...found].map(({ id }) => id))];
    },

    async countUnread(userId: string, now: Date): Promise<number> {
      const { unread } = await countUnread(db, { userId, now });
      return unread;
    },

    /** Reads, for each stream in order, whether its session is open, and its active role; null without one. */
    async standings(streams: readonly Standing[], now: Date) {
      const requested = streams.map(({ credentialId, userId, organizationId }, number) => ({
        number,
        credential_id: credentialId,
        user_id: userId,
        organization_id: organizationId,
      }));
      const found = await db.execute<{ isOpen: boolean; role: Role | null }>(sql`
        select coalesce(sessions.id, api_keys.id) is not null and users.id is not null as "isOpen",
          case when api_keys.id is null or reached.api_key_id is not null then memberships.role end as role
        from jsonb_to_recordset(${JSON.stringify(requested)}::text::jsonb)
          as asked(number int, credential_id uuid, user_id uuid, organization_id uuid)
        left join sessions on sessions.id = asked.credential_id and sessions.ended_at is null
          and sessions.expires_at > ${now.toISOString()}::timestamptz
        left join api_keys on api_keys.id = asked.credential_id and api_keys.user_id = asked.user_id
          and api_keys.revoked_at is null
          and (api_keys.expires_at is null or api_keys.expires_at > ${now.toISOString()}::timestamptz)
        left join organizations on organizations.id = asked.organization_id
        left join api_key_organizations as reached on reached.api_key_id = api_keys.id
          and reached.organization_id = asked.organization_id
          and ${isAcceptedAt(now)}
        left join users on users.id = asked.user_id and users.account_status = 'VERIFIED'
        left join memberships on memberships.organization_id = asked.organization_id
          and memberships.user_id = asked.user_id and memberships.status = 'ACTIVE'
          and ${hasRequiredFactorAt(now)}
        order by asked.number`);
      return [...found];
    },
  };
}

export type EventQueries = ReturnType<typeof eventQueries>;
/** One change as the queries return it. */
export type Change = Awaited<ReturnType<EventQueries['changesSince']>>['changes'][number];

/** Written by a transaction that a snapshot could not see; the first half finds it in the index. */
function notIn(snapshot: string): SQL {
  const given = sql`${sql.placeholder(snapshot)}::pg_snapshot`;
  return sql`(${activities.transactionId} >= pg_snapshot_xmin(${given})
    and not pg_visible_in_snapshot(${activities.transactionId}, ${given}))`;
}

/** Written by a transaction that a snapshot shows. */
function isIn(snapshot: string): SQL {
  return sql`pg_visible_in_snapshot(${activities.transactionId}, ${sql.placeholder(snapshot)}::pg_snapshot)`;
}

/** Activities that match a condition, in no order: a caller that gets one too many uses none of them. */
function chosen(db: Database, condition: SQL | undefined) {
  return db
    .select({
      id: activities.id,
      action: activities.action,
      actorId: activities.actorId,
      ownerId: ownerOf(activities).as('owner_id'),
      resourceType: activities.resourceType,
      resourceId: activities.resourceId,
      resourceName: activities.resourceName,
      createdAt: activities.createdAt,
      transactionId: activities.transactionId,
    })
    .from(activities)
    .where(and(eq(activities.organizationId, sql.placeholder('organizationId')), condition))
    .limit(maxChanges + 1)
    .as('change');
}

function columnsOf(change: ReturnType<typeof chosen>) {
  const { id, action, actorId, ownerId, createdAt, transactionId } = change;
  const { resourceType, resourceId, resourceName } = change;
  const resource = { resourceType, resourceId, resourceName };
  return { id, action, actorId, ownerId, ...resource, createdAt, transactionId };
}
