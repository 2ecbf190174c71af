import { lt, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../../db/executor.ts';
import { digests } from '../../../db/generated/schema.ts';
import {
  batchRows,
  deleteInBatches,
  inBatches,
  type Batches,
} from '../../../domain/batches/queries.ts';

/**
 * A suspended member may come back, and what is in the bin too: theirs stay hidden. So do those of an integration that is gone: API
 * keys are on another server than these, with which each batch would have to compare all of them.
 */
const isUnreadable = sql`case notifications.reason when 'removed' then false
  when 'invited' then invitations.id is null
  else memberships.id is null or notifications.task_id is not null and tasks.id is null
    or notifications.subject_id is not null and notifications.reason <> 'integration_failing'
    and coalesce(assets.id, shares.id) is null end`;

/** Deletes what is old, or about what the person may no longer read. */
export async function deleteUnneeded(
  { db, signal }: Batches,
  { readBefore, before }: { readBefore: Date; before: Date },
): Promise<void> {
  // No index finds them: the table is read once, in pieces.
  for await (const piece of pieces(db)) {
    signal?.throwIfAborted();
    await db.execute(sql`
      with due as (
        select notifications.organization_id, notifications.id from notifications
        left join memberships on memberships.organization_id = notifications.organization_id
          and memberships.user_id = notifications.user_id
        left join tasks on tasks.organization_id = notifications.organization_id
          and tasks.id = notifications.task_id
        left join invitations on invitations.organization_id = notifications.organization_id
          and invitations.id = notifications.subject_id and invitations.status = 'PENDING'
        left join assets on assets.organization_id = notifications.organization_id
          and assets.id = notifications.subject_id
        left join shares on shares.organization_id = notifications.organization_id
          and shares.id = notifications.subject_id
        where ${piece} and (notifications.read_at < ${readBefore.toISOString()}::timestamptz
          or notifications.updated_at < ${before.toISOString()}::timestamptz or ${isUnreadable}))
      delete from notifications using due
      where notifications.organization_id = due.organization_id and notifications.id = due.id`);
  }
}

/** Divides the notifications by their primary key. @returns the condition of each piece */
async function* pieces(db: Database): AsyncGenerator<SQL> {
  const key = sql`(notifications.organization_id, notifications.id)`;
  let after = sql`true`;
  for (;;) {
    const [last] = await db.execute<{ organizationId: string; id: string }>(sql`
      select notifications.organization_id as "organizationId", notifications.id from notifications where ${after}
      order by notifications.organization_id, notifications.id offset ${batchRows - 1} limit 1`);
    if (!last) {
      yield after;
      return;
    }
    const end = sql`(${last.organizationId}::uuid, ${last.id}::uuid)`;
    yield sql`${after} and ${key} <= ${end}`;
    after = sql`${key} > ${end}`;
  }
}

/** Deletes the oldest of each person who has more than so many. */
export async function deleteBeyond(batches: Batches, count: number): Promise<void> {
  const { db, signal } = batches;
  signal?.throwIfAborted();
  const crowded = await db.execute<{ userId: string }>(sql`
    select user_id as "userId" from notifications group by user_id having count(*) > ${count}`);
  for (const { userId } of crowded) {
    signal?.throwIfAborted();
    const [last] = await db.execute<{ sequence: string }>(sql`
      select sequence::text as sequence from notifications where user_id = ${userId}
      order by notifications.sequence desc offset ${count} limit 1`);
    if (!last) continue;
    await deleteDue(
      batches,
      sql`
      select notifications.organization_id, notifications.id from notifications
      where notifications.user_id = ${userId} and notifications.sequence <= ${last.sequence}::bigint`,
    );
  }
}

/** Deletes the marks of digests before a day. */
export async function deleteDigests(batches: Batches, before: Date): Promise<void> {
  const day = sql`(${before.toISOString()}::timestamptz at time zone 'UTC')::date`;
  await deleteInBatches(batches, digests, lt(digests.period, day));
}

async function deleteDue(batches: Batches, due: SQL): Promise<void> {
  const batch = sql`with due as (${due} limit ${batchRows})
    delete from notifications using due
    where notifications.organization_id = due.organization_id and notifications.id = due.id
    returning notifications.id`;
  await inBatches(batches, () => batches.db.execute(batch));
}
