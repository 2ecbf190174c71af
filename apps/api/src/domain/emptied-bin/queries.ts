import { and, eq, gt, inArray, lte, ne, notExists, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../db/executor.ts';
import { assets, collections } from '../../db/generated/schema.ts';

/** A part of the bin of an organization that is deleted permanently. */
export interface EmptiedPart {
  readonly organizationId: string;
  /** Only what this person created, and collections that contain nothing of others; null: everything. */
  readonly createdBy: string | null;
  /** Only the assets of this collection, and the collection itself; null: all. */
  readonly collectionId: string | null;
  /** Deletions after this timestamp and up to the other one. Earlier ones have expired. */
  readonly deletedAfter: Date;
  readonly deletedBy: Date;
  /** What they are set to. */
  readonly expiredAt: Date;
}

export async function countEmptied(tx: Transaction, part: EmptiedPart) {
  const [files] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(assets)
    .innerJoin(collections, collectionOf(part))
    .where(emptiedAssets(tx, part));
  const [folders] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(collections)
    .where(emptiedCollections(tx, part));
  return { assetCount: files?.count ?? 0, collectionCount: folders?.count ?? 0 };
}

/**
 * Lets assets and collections in the bin expire at once: they can't be listed or restored any more, and the next purge
 * deletes them. A collection expires before the assets that were deleted along with it, so that none of them can be restored
 * with it any more. Skips locked ones: they are about to be restored or purged.
 *
 * @param limit - maximum number of assets, and of collections
 * @returns how many there were; 0 when none is left
 */
export async function expireEmptied(
  tx: Transaction,
  part: EmptiedPart,
  limit: number,
): Promise<number> {
  const { organizationId, expiredAt } = part;
  const folders = await tx
    .select({ id: collections.id })
    .from(collections)
    .where(emptiedCollections(tx, part))
    .orderBy(collections.id)
    .limit(limit)
    .for('no key update', { skipLocked: true });
  if (folders.length > 0) {
    await tx
      .update(collections)
      .set({ deletedAt: expiredAt })
      .where(
        and(
          eq(collections.organizationId, organizationId),
          inArray(collections.id, idsOf(folders)),
        ),
      );
  }
  const files = await tx
    .select({ id: assets.id })
    .from(assets)
    .innerJoin(collections, collectionOf(part))
    .where(and(binnedAssets(part), isApart))
    .orderBy(assets.id)
    .limit(limit)
    .for('no key update', { of: assets, skipLocked: true });
  if (files.length > 0) {
    await tx
      .update(assets)
      .set({ deletedAt: expiredAt })
      .where(and(eq(assets.organizationId, organizationId), inArray(assets.id, idsOf(files))));
  }
  return folders.length + files.length;
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

function collectionOf({ organizationId }: EmptiedPart): SQL | undefined {
  return and(
    eq(collections.organizationId, organizationId),
    eq(collections.id, assets.collectionId),
  );
}

/** For assets joined to their collections: not those that were deleted along with one that is still in the bin. */
const isApart = sql`${collections.deletedAt} is distinct from ${assets.deletedAt}`;

/** For assets joined to their collections. Those that were deleted along with a collection go with it. */
function emptiedAssets(tx: Transaction, part: EmptiedPart): SQL | undefined {
  const { createdBy } = part;
  return and(
    binnedAssets(part),
    createdBy === null ? undefined : or(isApart, isOwnCollection(tx, part, createdBy)),
  );
}

function binnedAssets(part: EmptiedPart): SQL | undefined {
  const { organizationId, createdBy, collectionId, deletedAfter, deletedBy } = part;
  return and(
    eq(assets.organizationId, organizationId),
    gt(assets.deletedAt, deletedAfter),
    lte(assets.deletedAt, deletedBy),
    collectionId === null ? undefined : eq(assets.collectionId, collectionId),
    createdBy === null ? undefined : eq(assets.createdBy, createdBy),
  );
}

function emptiedCollections(tx: Transaction, part: EmptiedPart): SQL | undefined {
  const { organizationId, createdBy, collectionId, deletedAfter, deletedBy } = part;
  return and(
    eq(collections.organizationId, organizationId),
    gt(collections.deletedAt, deletedAfter),
    lte(collections.deletedAt, deletedBy),
    collectionId === null ? undefined : eq(collections.id, collectionId),
    createdBy === null ? undefined : isOwnCollection(tx, part, createdBy),
  );
}

function isOwnCollection(tx: Transaction, part: EmptiedPart, createdBy: string): SQL | undefined {
  return and(
    eq(collections.createdBy, createdBy),
    notExists(
      tx
        .select({ one: sql`1` })
        .from(inside)
        .where(
          and(
            eq(inside.organizationId, part.organizationId),
            sql`${inside.collectionId} = ${collections}.id`,
            ne(inside.createdBy, createdBy),
          ),
        ),
    ),
  );
}

const inside = alias(assets, 'inside');
