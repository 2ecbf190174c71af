import { and, eq, lte, sql } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { avatarUploads, users } from '../../db/generated/schema.ts';

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
