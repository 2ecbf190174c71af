import { deletedAddressSuffix } from '@atelier/contract';
import { and, eq, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import {
  accountActivities,
  accountExports,
  activities,
  apiKeys,
  committedResponses,
  erasedSubjects,
  idempotencyKeys,
  invitations,
  organizations,
  webhookDeliveries,
} from '../../db/generated/schema.ts';
import { after, orderOf } from '../../db/keyset.ts';
import {
  batchRows,
  deleteInBatches,
  deleteOfOrganizations,
  type Batches,
} from '../batches/queries.ts';

/** An account that is being deleted. */
export interface ErasedAccount {
  readonly id: string;
  /** The present one and the former ones. */
  readonly emails: readonly string[];
}

/**
 * Finds what the history of an account is about: itself, its personal organization, its keys, its memberships past and
 * present, and the invitations to its addresses and those that it accepted.
 *
 * @returns their ids
 */
export async function activitySubjects(db: Executor, account: ErasedAccount): Promise<string[]> {
  const { id, emails } = account;
  const own = eq(activities.actorId, id);
  const rows = await db.execute<{ id: string }>(sql`
    select ${id}::uuid as id
    union select ${erasedSubjects.id} from ${erasedSubjects} where ${eq(erasedSubjects.userId, id)}
    union select ${organizations.id} from ${organizations}
      where ${and(eq(organizations.ownerId, id), eq(organizations.type, 'PERSONAL'))}
    union select ${apiKeys.id} from ${apiKeys}
      where ${and(eq(apiKeys.userId, id), eq(apiKeys.kind, 'PERSONAL'))}
    union select ${accountActivities.resourceId} from ${accountActivities}
      where ${and(eq(accountActivities.actorId, id), eq(accountActivities.resourceType, 'api_key'))}
    union select ${activities.resourceId} from ${activities}
      where ${and(
        own,
        eq(activities.resourceType, 'member'),
        or(
          eq(activities.action, 'member.join'),
          sql`${activities.metadata} ->> 'userId' = ${id}::text`,
        ),
      )}
    union select about.resource_id from ${activities}
      join ${activities} as about on about.organization_id = ${activities.organizationId}
        and about.action in ('member.update', 'member.remove')
        and about.metadata ->> 'userId' = ${id}::text
      where ${and(own, eq(activities.action, 'organization.create'))}
    union select ${invitations.id} from ${invitations}
      where ${or(inArray(invitations.email, [...emails]), eq(invitations.accountId, id))}`);
  return rows.map((row) => row.id);
}

/** Records what the history of an account is about. Repeatable. */
export async function insertSubjects(
  tx: Transaction,
  ids: readonly string[],
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const rows = await tx
    .select({ id: erasedSubjects.id })
    .from(erasedSubjects)
    .where(inArray(erasedSubjects.id, [...ids]));
  const recorded = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !recorded.has(id));
  if (missing.length === 0) return;
  // Not `on conflict`: for that, a distributed database asks for the right to update the table, which the service hasn't.
  await tx.insert(erasedSubjects).values(missing.map((id) => ({ id, userId, erasedAt: now })));
}

/** Erases the text of activities about a recorded subject. @returns of how many, at most as many as asked for */
export async function eraseActivities(
  db: Database,
  subject: string,
  atMost: number,
): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select erase_activities(${subject}::uuid, ${atMost}::int) as count`,
  );
  return row?.count ?? 0;
}

/** Activities, or messages about them, of one statement, so that none runs long. */
export const activityBatchRows = 1_000;

/** Deletes the messages of webhooks that name an account, as the actor or as the member that they are about. */
export async function deleteDeliveriesOf(
  db: Executor,
  { id }: Pick<ErasedAccount, 'id'>,
): Promise<void> {
  const subjects = await db
    .select({ id: erasedSubjects.id })
    .from(erasedSubjects)
    .where(eq(erasedSubjects.userId, id));
  await deleteDeliveriesAbout(db, eq(activities.actorId, id));
  for (const subject of subjects) {
    await deleteDeliveriesAbout(db, eq(activities.resourceId, subject.id));
  }
}

const byTime = {
  column: activities.createdAt,
  id: activities.id,
  direction: 'ascending',
} as const;

/** Deletes the messages about activities of one actor, or about one resource: both have an index in the order of time. */
async function deleteDeliveriesAbout(db: Executor, named: SQL): Promise<void> {
  let beyond: SQL | undefined;
  for (;;) {
    const batch = await db
      .select({
        organizationId: activities.organizationId,
        id: activities.id,
        createdAt: activities.createdAt,
      })
      .from(activities)
      .where(and(named, beyond))
      .orderBy(...orderOf(byTime))
      .limit(activityBatchRows);
    for (const [organizationId, events] of Map.groupBy(batch, (event) => event.organizationId)) {
      const eventIds = events.map((event) => event.id);
      await db
        .delete(webhookDeliveries)
        .where(
          and(
            eq(webhookDeliveries.organizationId, organizationId),
            inArray(webhookDeliveries.eventId, eventIds),
          ),
        );
    }
    const last = batch.at(-1);
    if (!last || batch.length < activityBatchRows) return;
    beyond = after(byTime, last.createdAt, last.id);
  }
}

/** The organizations with an invitation of an account. @returns their ids */
export async function organizationsThatInvited(
  db: Database,
  account: ErasedAccount,
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: invitations.organizationId })
    .from(invitations)
    .where(isOf(account))
    .orderBy(invitations.organizationId);
  return rows.map(({ id }) => id);
}

/** Erases the addresses of an account from invitations of an organization. @returns those of one batch */
export async function eraseInvitations(
  tx: Transaction,
  { organizationId, account }: { organizationId: string; account: ErasedAccount },
): Promise<readonly unknown[]> {
  return tx
    .update(invitations)
    .set({
      email: `deleted-${account.id}${deletedAddressSuffix}`,
      // Not `case … when 'PENDING'`, which Citus passes to its workers with a comparison too many.
      status: sql`case when ${eq(invitations.status, 'PENDING')} then 'REVOKED' else ${invitations.status} end`,
    })
    .where(isOfBatch(tx, organizationId, isOf(account)))
    .returning({ id: invitations.id });
}

/** The condition for a batch of the invitations of an organization for which another one holds. */
function isOfBatch(
  tx: Transaction,
  organizationId: string,
  condition: SQL | undefined,
): SQL | undefined {
  const isOfOrganization = eq(invitations.organizationId, organizationId);
  const batch = tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(isOfOrganization, condition))
    .limit(batchRows);
  return and(isOfOrganization, inArray(invitations.id, batch));
}

/** To one of its addresses, or accepted by it, perhaps with an earlier one. */
function isOf({ id, emails }: ErasedAccount) {
  return or(
    inArray(invitations.email, [...emails]),
    and(
      eq(invitations.accountId, id),
      sql`${invitations.email} not like ${`%${deletedAddressSuffix}`}`,
    ),
  );
}

/**
 * Records of the invitations of an organization to an account's addresses that they were to this account.
 *
 * @returns those of one batch
 */
export async function assignInvitations(
  tx: Transaction,
  { organizationId, account }: { organizationId: string; account: ErasedAccount },
): Promise<readonly unknown[]> {
  const isUnassigned = and(
    inArray(invitations.email, [...account.emails]),
    isNull(invitations.accountId),
  );
  return tx
    .update(invitations)
    .set({ accountId: account.id })
    .where(isOfBatch(tx, organizationId, isUnassigned))
    .returning({ id: invitations.id });
}

/** Deletes the waiting and failed jobs for an address. An error may quote it, in jobs of any kind. */
export async function deleteJobsOf(db: Database, email: string): Promise<void> {
  await db.execute(sql`
    delete from graphile_worker._private_jobs
    where payload ->> 'email' = ${email} and locked_at is null`);
  await db.execute(sql`
    update graphile_worker._private_jobs set last_error = null
    where locked_at is null and strpos(last_error, ${email}) > 0`);
}

/**
 * Deletes the waiting and failed jobs that hold where a request of an account came from. Those about an export don't tell
 * whose it was once it is removed: they are deleted for every account, and would do nothing.
 */
export async function deleteOriginsOf(
  db: Database,
  { id }: Pick<ErasedAccount, 'id'>,
): Promise<void> {
  const exportId = sql`(payload ->> 'exportId')::uuid`;
  const ofOthers = sql`select from ${accountExports}
    where ${accountExports.id} = ${exportId} and ${ne(accountExports.userId, id)}`;
  await db.execute(sql`
    delete from graphile_worker._private_jobs
    where locked_at is null and payload ->> 'origin' is not null
      and (payload ->> 'userId' = ${id} or (${exportId} is not null and not exists (${ofOthers})))`);
}

/** Deletes the responses that are stored for repetitions of an account's requests. */
export async function deleteStoredResponsesOf(
  batches: Batches,
  { id }: Pick<ErasedAccount, 'id'>,
): Promise<void> {
  const { db } = batches;
  const keys = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.userId, id));
  const scopes = [id, ...keys.map((key) => `key:${key.id}`)];
  const areKeys = inArray(idempotencyKeys.scope, scopes);
  const areResponses = inArray(committedResponses.scope, scopes);
  await deleteInBatches(batches, idempotencyKeys, areKeys);
  await deleteOfOrganizations(batches, committedResponses, () => areResponses);
  // Batches leave out what a request under way has locked. These wait for it.
  await db.delete(idempotencyKeys).where(areKeys);
  await db.delete(committedResponses).where(areResponses);
}
