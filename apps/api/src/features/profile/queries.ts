import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { avatarUploads, users } from '../../db/generated/schema.ts';
import { isoTimestamp } from '../../db/iso-timestamp.ts';
import { lockAccountRow } from '../../domain/authority/queries.ts';
import type { ProfileFields } from './policy.ts';

const profile = {
  firstName: users.firstName,
  lastName: users.lastName,
  avatarKey: users.avatarKey,
  mailNotices: users.mailNotices,
  mailSignIns: users.mailSignIns,
  updatedAt: isoTimestamp(users.updatedAt),
};

export async function findProfile(db: Executor, userId: string) {
  const [row] = await db.select(profile).from(users).where(eq(users.id, userId));
  return row ?? null;
}

export async function lockProfile(tx: Transaction, userId: string) {
  await lockAccountRow(tx, userId);
  return findProfile(tx, userId);
}

export async function updateProfile(
  tx: Transaction,
  { userId, now, ...wanted }: { userId: string; now: Date } & ProfileFields,
): Promise<void> {
  const { firstName, lastName, mailSignIns } = wanted;
  await tx
    .update(users)
    .set({ firstName, lastName, mailSignIns, updatedAt: now })
    .where(eq(users.id, userId));
}

export async function replaceAvatar(
  tx: Transaction,
  picture: { userId: string; avatarKey: string; now: Date },
): Promise<void> {
  await tx
    .update(users)
    .set({ avatarKey: picture.avatarKey, updatedAt: picture.now })
    .where(eq(users.id, picture.userId));
}

export type AvatarUploadRow = typeof avatarUploads.$inferSelect;

export async function insertAvatarUpload(
  tx: Transaction,
  row: Omit<AvatarUploadRow, 'status'>,
): Promise<void> {
  await tx.insert(avatarUploads).values({ ...row, status: 'STARTED' });
}

/** Refuses the unfinished uploads of a user but the newest. @returns the keys of their objects */
export async function giveUpOlderUploads(
  tx: Transaction,
  { userId, kept }: { userId: string; kept: number },
): Promise<{ key: string }[]> {
  const older = tx
    .select({ id: avatarUploads.id })
    .from(avatarUploads)
    .where(and(eq(avatarUploads.userId, userId), eq(avatarUploads.status, 'STARTED')))
    .orderBy(desc(avatarUploads.createdAt), desc(avatarUploads.id))
    .offset(kept);
  return tx
    .update(avatarUploads)
    .set({ status: 'REFUSED' })
    .where(and(inArray(avatarUploads.id, older), eq(avatarUploads.status, 'STARTED')))
    .returning({ key: avatarUploads.key });
}

/** The upload of a key, if this user started it. */
export async function findAvatarUpload(
  db: Executor,
  { userId, key }: { userId: string; key: string },
): Promise<AvatarUploadRow | null> {
  const [row] = await db
    .select()
    .from(avatarUploads)
    .where(and(eq(avatarUploads.userId, userId), eq(avatarUploads.key, key)));
  return row ?? null;
}

export async function lockAvatarUploadStatus(
  tx: Transaction,
  id: string,
): Promise<AvatarUploadRow['status'] | null> {
  const [row] = await tx
    .select({ status: avatarUploads.status })
    .from(avatarUploads)
    .where(eq(avatarUploads.id, id))
    .for('update');
  return row?.status ?? null;
}

export async function setAvatarUploadStatus(
  tx: Transaction,
  { id, status }: { id: string; status: 'COMPLETED' | 'REFUSED' },
): Promise<void> {
  await tx.update(avatarUploads).set({ status }).where(eq(avatarUploads.id, id));
}
