import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import { assetFavorites, assets, collections } from '../../../db/generated/schema.ts';
import { assetColumns, assetJoins } from '../../../domain/asset-view/queries.ts';

interface AssetKey {
  readonly organizationId: string;
  readonly id: string;
}

interface FavoriteKey {
  readonly organizationId: string;
  readonly userId: string;
  readonly assetId: string;
}

/** Locks a collection, deleted or not, against deletion and restoration until the transaction ends. */
async function holdCollection(tx: Transaction, key: AssetKey): Promise<void> {
  await tx
    .select({ id: collections.id })
    .from(collections)
    .where(and(eq(collections.organizationId, key.organizationId), eq(collections.id, key.id)))
    .for('share');
}

/**
 * Locks an asset, deleted or not, against changes until the transaction ends.
 *
 * @returns its locked state
 */
export async function lockAssetOrBinned(tx: Transaction, key: AssetKey & { viewerId: string }) {
  // A separate statement: the next one sees what was committed while this one waited.
  await tx.select({ id: assets.id }).from(assets).where(within(key)).for('no key update');
  const joins = assetJoins(key);
  const [row] = await tx
    .select({
      ...assetColumns(key),
      deletedAt: assets.deletedAt,
      collectionDeletedAt: collections.deletedAt,
    })
    .from(assets)
    .innerJoin(joins.version.table, joins.version.on)
    .innerJoin(joins.content.table, joins.content.on)
    .innerJoin(
      collections,
      and(
        eq(collections.organizationId, key.organizationId),
        eq(collections.id, assets.collectionId),
      ),
    )
    .where(within(key));
  return row ?? null;
}

export type LockedAsset = NonNullable<Awaited<ReturnType<typeof lockAssetOrBinned>>>;

/**
 * Like {@link lockAssetOrBinned}, together with its collection, so that neither is deleted or restored
 * concurrently. Every code path that locks both takes the collection first.
 */
export async function lockAssetInCollection(
  tx: Transaction,
  key: AssetKey & { viewerId: string },
): Promise<LockedAsset | null> {
  const [place] = await tx.select({ id: assets.collectionId }).from(assets).where(within(key));
  if (!place) return null;
  await holdCollection(tx, { organizationId: key.organizationId, id: place.id });
  const asset = await lockAssetOrBinned(tx, key);
  // Restored, moved and deleted again in the meantime: under the lock, it stays where it is.
  return asset && asset.collectionId !== place.id ? lockAssetInCollection(tx, key) : asset;
}

type UpdatedAsset = Pick<
  typeof assets.$inferSelect,
  | 'name'
  | 'nameFolded'
  | 'collectionId'
  | 'publicLinkEnabled'
  | 'shortCode'
  | 'description'
  | 'tags'
  | 'tagKeys'
  | 'detailsFolded'
>;

export async function updateAsset(
  tx: Transaction,
  row: AssetKey & UpdatedAsset,
  now: Date,
): Promise<void> {
  await tx
    .update(assets)
    .set({
      name: row.name,
      nameFolded: row.nameFolded,
      collectionId: row.collectionId,
      publicLinkEnabled: row.publicLinkEnabled,
      shortCode: row.shortCode,
      description: row.description,
      tags: row.tags,
      tagKeys: row.tagKeys,
      detailsFolded: row.detailsFolded,
      updatedAt: now,
    })
    .where(within(row));
}

/** @param row - `deletedAt` null restores it from the bin */
export async function setDeletedAt(
  tx: Transaction,
  row: AssetKey & { deletedAt: Date | null },
): Promise<void> {
  await tx.update(assets).set({ deletedAt: row.deletedAt }).where(within(row));
}

export async function markFavorite(
  tx: Transaction,
  mark: FavoriteKey & { createdAt: Date },
): Promise<void> {
  await tx.insert(assetFavorites).values(mark);
}

export async function unmarkFavorite(tx: Transaction, mark: FavoriteKey): Promise<void> {
  await tx
    .delete(assetFavorites)
    .where(
      and(
        eq(assetFavorites.organizationId, mark.organizationId),
        eq(assetFavorites.userId, mark.userId),
        eq(assetFavorites.assetId, mark.assetId),
      ),
    );
}

function within({ organizationId, id }: AssetKey) {
  return and(eq(assets.organizationId, organizationId), eq(assets.id, id));
}
