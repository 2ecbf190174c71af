import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { assets, collections } from '../../db/generated/schema.ts';
import { findAsset, type AssetRow } from '../asset-view/queries.ts';

/**
 * Locks an asset against changes, new versions and comments until the transaction ends.
 *
 * @returns null when it does not exist (any more) or is in the bin
 */
export async function lockLivingAsset(
  tx: Transaction,
  { organizationId, assetId }: { organizationId: string; assetId: string },
): Promise<{ name: string } | null> {
  const [row] = await tx
    .select({ name: assets.name })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, organizationId),
        eq(assets.id, assetId),
        isNull(assets.deletedAt),
      ),
    )
    .for('no key update');
  return row ?? null;
}

/** Does the same. @returns its locked state for a viewer */
export async function lockAndFindAsset(
  tx: Transaction,
  key: { organizationId: string; id: string; viewerId: string },
): Promise<AssetRow | null> {
  // A separate statement: the next one sees what was committed while this one waited.
  const isThere = await lockLivingAsset(tx, { ...key, assetId: key.id });
  return isThere ? findAsset(tx, key) : null;
}

/**
 * Locks a collection against deletion until the transaction ends. Every code path that locks both takes the collection
 * before the asset.
 *
 * @returns false when it does not exist (any more) or is in the bin
 */
export async function holdLivingCollection(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<boolean> {
  const [row] = await tx
    .select({ id: collections.id })
    .from(collections)
    .where(
      and(
        eq(collections.organizationId, organizationId),
        eq(collections.id, id),
        isNull(collections.deletedAt),
      ),
    )
    .for('share');
  return row !== undefined;
}
