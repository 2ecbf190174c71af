import { and, eq, isNotNull, isNull, lte, notExists, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../db/executor.ts';
import {
  organizations,
  sharePictures,
  shares,
  shareTickets,
  shareViews,
  storedObjects,
} from '../../db/generated/schema.ts';
import { keepOrganizationRow } from '../../domain/authority/queries.ts';
import { deleteOfOrganizations, type Batches } from '../../domain/batches/queries.ts';
import { isAfter, isSealedOtherwise, type SealedPage } from '../../domain/resealing/queries.ts';
import { isOpenAt } from '../../domain/shares/queries/visits.ts';
import { isStoredObject } from '../../domain/stored-objects/queries.ts';

/** What decides which pictures a share needs. @returns null for one that is gone or has ended */
export async function findPicturedShare(
  db: Database,
  { organizationId, id }: { organizationId: string; id: string },
  now: Date,
) {
  const [row] = await db
    .select({
      organizationId: shares.organizationId,
      id: shares.id,
      targetType: shares.targetType,
      targetId: shares.targetId,
      versions: shares.versions,
      watermark: shares.watermark,
    })
    .from(shares)
    .where(and(eq(shares.organizationId, organizationId), eq(shares.id, id), isOpenAt(now)));
  return row ?? null;
}

type NewPicture = typeof sharePictures.$inferInsert;

/**
 * The deletion of the organization waits until the transaction ends: it keeps the file for its bin, but no pictures.
 *
 * @returns false if there is one already, or the file or the organization was deleted
 * @throws Error if the file is deleted meanwhile
 */
export async function insertPicture(tx: Transaction, picture: NewPicture): Promise<boolean> {
  const { organizationId, storedObjectId: id } = picture;
  await keepOrganizationRow(tx, organizationId);
  const isLiving = and(
    eq(organizations.id, storedObjects.organizationId),
    isNull(organizations.deletedAt),
  );
  const [file] = await tx
    .select({ id: storedObjects.id })
    .from(storedObjects)
    .innerJoin(organizations, isLiving)
    .where(isStoredObject({ organizationId, id }));
  if (!file) return false;
  const rows = await tx
    .insert(sharePictures)
    .values(picture)
    .onConflictDoNothing()
    .returning({ id: sharePictures.storedObjectId });
  return rows.length > 0;
}

/**
 * Removes pictures that are old, and those with a watermark that no open share of the organization has: the next visit has
 * them made again. The storage is compared later.
 */
export async function deletePictures(
  batches: Batches,
  { madeBy, now }: { readonly madeBy: Date; readonly now: Date },
): Promise<void> {
  const { watermark, createdAt } = sharePictures;
  const isDue = (organizationId: string | PgColumn) => {
    const open = batches.db
      .select({ id: shares.id })
      .from(shares)
      .where(
        and(
          eq(shares.organizationId, organizationId),
          eq(sql`coalesce(${shares.watermark}, '')`, watermark),
          isOpenAt(now),
        ),
      );
    return or(lte(createdAt, madeBy), notExists(open));
  };
  await deleteOfOrganizations(batches, sharePictures, isDue);
}

export async function deleteTicketsUntil(batches: Batches, now: Date): Promise<void> {
  await deleteOfOrganizations(batches, shareTickets, () => lte(shareTickets.expiresAt, now));
}

export async function deleteViewsUntil(batches: Batches, timestamp: Date): Promise<void> {
  await deleteOfOrganizations(batches, shareViews, () => lte(shareViews.at, timestamp));
}

/** Removes the shares that ended at a time or before, with all that hangs on them. */
export async function deleteSharesEndedBy(batches: Batches, timestamp: Date): Promise<void> {
  const due = or(
    and(isNotNull(shares.revokedAt), lte(shares.revokedAt, timestamp)),
    and(isNotNull(shares.expiresAt), lte(shares.expiresAt, timestamp)),
  );
  await deleteOfOrganizations(batches, shares, () => due);
}

/** Lists shares whose tokens another key than the current one has sealed. */
export async function sealedOtherwise(db: Database, currentKey: Buffer, page: SealedPage) {
  return db
    .select({ organizationId: shares.organizationId, id: shares.id, token: shares.token })
    .from(shares)
    .where(and(isSealedOtherwise(shares.token, currentKey), isAfter(shares.id, page)))
    .orderBy(shares.id)
    .limit(page.limit);
}

/** Stores a token that was sealed again, unless it was replaced since it was read. */
export async function storeResealed(
  db: Database,
  { organizationId, id, token }: { organizationId: string; id: string; token: Buffer },
  resealed: Buffer,
): Promise<void> {
  await db
    .update(shares)
    .set({ token: resealed })
    .where(
      and(eq(shares.organizationId, organizationId), eq(shares.id, id), eq(shares.token, token)),
    );
}
