import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../db/executor.ts';
import {
  accountActivities,
  avatarUploads,
  memberships,
  organizations,
  users,
} from '../db/generated/schema.ts';

export async function findPendingAccount(db: Executor, email: string) {
  const [row] = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.email, email), eq(users.accountStatus, 'PENDING')));
  return row ?? null;
}

export async function findResettableAccount(db: Executor, email: string) {
  const [row] = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      and(
        eq(users.email, email),
        eq(users.kind, 'PERSON'),
        inArray(users.accountStatus, ['PENDING', 'VERIFIED']),
      ),
    );
  return row ?? null;
}

/** Whether an activity about an account is recorded. */
export async function isRecorded(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const ofId = and(eq(accountActivities.resourceId, userId), eq(accountActivities.id, id));
  return (await tx.$count(accountActivities, ofId)) > 0;
}

/** @returns null if the account is gone, or not verified (any more) */
export async function findVerifiedEmail(db: Executor, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.accountStatus, 'VERIFIED')));
  return row?.email ?? null;
}

/** The verified administrators of an organization, and its name. Nothing is mailed to service accounts. */
export async function administratorsOf(db: Executor, organizationId: string) {
  return db
    .select({ id: users.id, email: users.email, organizationName: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.status, 'ACTIVE'),
        inArray(memberships.role, ['OWNER', 'ADMIN']),
        eq(users.accountStatus, 'VERIFIED'),
        eq(users.kind, 'PERSON'),
      ),
    );
}

/** Refuses an unfinished upload. @returns its current state; null if it does not exist */
export async function giveUpAvatarUpload(db: Executor, id: string) {
  const [row] = await db
    .update(avatarUploads)
    .set({
      status: sql`case ${avatarUploads.status} when 'COMPLETED' then 'COMPLETED' else 'REFUSED' end`,
    })
    .where(eq(avatarUploads.id, id))
    .returning({
      userId: avatarUploads.userId,
      key: avatarUploads.key,
      avatarKey: avatarUploads.avatarKey,
      status: avatarUploads.status,
      createdAt: avatarUploads.createdAt,
    });
  return row ?? null;
}

/**
 * The uploads of a user, up to one of them, whose pictures are shown no more. That of the shown picture stays: its
 * completion may be repeated.
 */
export async function findReplacedAvatarUploads(
  db: Executor,
  { userId, createdAt }: { userId: string; createdAt: Date },
): Promise<{ id: string; key: string }[]> {
  return db
    .select({ id: avatarUploads.id, key: avatarUploads.key })
    .from(avatarUploads)
    .innerJoin(users, eq(users.id, avatarUploads.userId))
    .where(
      and(
        eq(avatarUploads.userId, userId),
        eq(avatarUploads.status, 'COMPLETED'),
        lte(avatarUploads.createdAt, createdAt),
        sql`${avatarUploads.avatarKey} is distinct from ${users.avatarKey}`,
      ),
    );
}

export async function deleteAvatarUpload(db: Executor, id: string): Promise<void> {
  await db.delete(avatarUploads).where(eq(avatarUploads.id, id));
}
