import type { SharePolicy } from '@atelier/contract';
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../db/executor.ts';
import { organizations, shares } from '../../../db/generated/schema.ts';
import { isOpenAt } from '../../../domain/shares/queries/visits.ts';

/** @returns null if the organization is deleted */
export async function findPolicy(
  db: Executor,
  organizationId: string,
): Promise<SharePolicy | null> {
  const [row] = await db
    .select({
      allowed: organizations.sharesAllowed,
      requirePassword: organizations.sharesNeedPassword,
      maxDays: organizations.maxShareDays,
      allowDownload: organizations.sharesAllowDownload,
    })
    .from(organizations)
    .where(and(eq(organizations.id, organizationId), isNull(organizations.deletedAt)));
  return row ?? null;
}

export async function updatePolicy(
  tx: Transaction,
  organizationId: string,
  { allowed, requirePassword, maxDays, allowDownload }: SharePolicy,
): Promise<void> {
  await tx
    .update(organizations)
    .set({
      sharesAllowed: allowed,
      sharesNeedPassword: requirePassword,
      maxShareDays: maxDays,
      sharesAllowDownload: allowDownload,
    })
    .where(eq(organizations.id, organizationId));
}

interface At {
  readonly organizationId: string;
  readonly now: Date;
}

const isOpen = ({ organizationId, now }: At) =>
  and(eq(shares.organizationId, organizationId), isOpenAt(now));

/** Ends shares. @param which - all, or those without a password. @returns how many */
export async function endShares(
  tx: Transaction,
  at: At,
  which: 'all' | 'without password',
): Promise<number> {
  const ended = await tx
    .update(shares)
    .set({ revokedAt: at.now, updatedAt: at.now })
    .where(and(isOpen(at), which === 'all' ? undefined : isNull(shares.passwordHash)))
    .returning({ id: shares.id });
  return ended.length;
}

/** Has shares expire by a time. @returns how many were to last longer */
export async function shortenShares(tx: Transaction, at: At, until: Date): Promise<number> {
  const shortened = await tx
    .update(shares)
    .set({ expiresAt: until, updatedAt: at.now })
    .where(and(isOpen(at), or(isNull(shares.expiresAt), gt(shares.expiresAt, until))))
    .returning({ id: shares.id });
  return shortened.length;
}

/** @returns how many could be downloaded until now */
export async function endDownloads(tx: Transaction, at: At): Promise<number> {
  const changed = await tx
    .update(shares)
    .set({ allowDownload: false, updatedAt: at.now })
    .where(and(isOpen(at), eq(shares.allowDownload, true)))
    .returning({ id: shares.id });
  return changed.length;
}
