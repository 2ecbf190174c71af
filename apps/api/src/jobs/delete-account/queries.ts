import { deletedAddressSuffix } from '@atelier/contract';
import { and, asc, eq, inArray, lte, not, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { avatarUploads, memberships, organizations, users } from '../../db/generated/schema.ts';
import { lockAccountRow } from '../../domain/authority/queries.ts';

/** The key of the job that deletes an account. */
export const jobKeyOf = (userId: string) => `${jobKeyPrefix}${userId}`;
const jobKeyPrefix = 'delete_account:';

/** The accounts whose wait is over, and those whose deletion was interrupted; none that is being deleted. @returns their ids */
export async function findDue(db: Executor, now: Date): Promise<string[]> {
  // The queue takes the key of a running job for another one, and would run both.
  const isRunning = sql`exists (
    select from graphile_worker.jobs
    where key = ${jobKeyPrefix}::text || ${users.id} and locked_at is not null)`;
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(lte(users.deletesAt, now), not(isRunning)))
    .orderBy(asc(users.deletesAt));
  return rows.map(({ id }) => id);
}

/** Begins the deletion of a locked account. @returns whether it is due, or has begun before */
export async function beginDeletion(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const begun = await tx
    .update(users)
    .set({ accountStatus: 'DELETING' })
    .where(
      and(
        eq(users.id, id),
        inArray(users.accountStatus, ['DELETION_PENDING', 'DELETING']),
        lte(users.deletesAt, now),
      ),
    )
    .returning({ id: users.id });
  return begun.length === 1;
}

/** An account that is to be deleted, or is being deleted; null for any other. */
export async function findLeaving(db: Executor, id: string) {
  const [row] = await db
    .select({ id: users.id, email: users.email, deletesAt: users.deletesAt })
    .from(users)
    .where(eq(users.id, id));
  if (!row || row.deletesAt === null) return null;
  return { ...row, deletesAt: row.deletesAt };
}

/** The memberships of an account in teams. */
export async function findTeamMemberships(db: Executor, userId: string) {
  return db
    .select({
      id: memberships.id,
      organizationId: memberships.organizationId,
      role: memberships.role,
      status: memberships.status,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(organizations.type, 'TEAM')))
    .orderBy(asc(memberships.organizationId));
}

/** The personal organization of an account, deleted or not; null for one without. */
export async function findPersonalOrganization(db: Executor, ownerId: string) {
  const [row] = await db
    .select({ id: organizations.id, name: organizations.name, deletedAt: organizations.deletedAt })
    .from(organizations)
    .where(and(eq(organizations.ownerId, ownerId), eq(organizations.type, 'PERSONAL')));
  return row ?? null;
}

/** Takes an account's picture and its uploads of pictures from the database. @returns their storage keys */
export async function takePictures(tx: Transaction, userId: string, now: Date): Promise<string[]> {
  await lockAccountRow(tx, userId);
  const [account] = await tx
    .select({ avatarKey: users.avatarKey })
    .from(users)
    .where(eq(users.id, userId));
  const uploads = await tx
    .delete(avatarUploads)
    .where(eq(avatarUploads.userId, userId))
    .returning({ key: avatarUploads.key, avatarKey: avatarUploads.avatarKey });
  if (account?.avatarKey) {
    await tx.update(users).set({ avatarKey: null, updatedAt: now }).where(eq(users.id, userId));
  }
  const keys = uploads.flatMap(({ key, avatarKey }) => [key, avatarKey]);
  return [...new Set(account?.avatarKey ? [...keys, account.avatarKey] : keys)];
}

/** Leaves of a locked account what others refer to. */
export async function writeTombstone(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({
      email: sql`'deleted-' || ${users.id}::text || ${deletedAddressSuffix}::text`,
      passwordHash: null,
      passwordOrigin: 'REGISTERED',
      hasSecondFactor: false,
      firstName: null,
      lastName: null,
      avatarKey: null,
      accountStatus: 'DELETED',
      deletesAt: null,
      platformRole: 'USER',
      mailNotices: false,
      mailSignIns: false,
      updatedAt: now,
    })
    .where(eq(users.id, id));
}
