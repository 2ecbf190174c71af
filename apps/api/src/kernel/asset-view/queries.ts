import { and, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Executor } from '../../db/client.ts';
import { assetFavorites, assets, assetVersions, storedObjects } from '../../db/schema/index.ts';

const current = alias(assetVersions, 'current');

const currentVersion = and(
  eq(current.assetId, assets.id),
  eq(current.versionNumber, assets.currentVersion),
);

/** An asset with what is shown of its current version. */
export function assetViewQueries(db: Executor) {
  const one = db
    .select({
      id: assets.id,
      organizationId: assets.organizationId,
      collectionId: assets.collectionId,
      name: assets.name,
      contentType: assets.contentType,
      fileSizeBytes: assets.fileSizeBytes,
      currentVersion: assets.currentVersion,
      shortCode: assets.shortCode,
      publicLinkEnabled: assets.publicLinkEnabled,
      publishedFromAssetId: assets.publishedFromAssetId,
      createdBy: assets.createdBy,
      createdAt: assets.createdAt,
      updatedAt: assets.updatedAt,
      key: storedObjects.key,
      checksum: storedObjects.checksum,
      thumbnailKey: storedObjects.thumbnailKey,
      isFavorite: sql<boolean>`exists (select 1 from ${assetFavorites} where ${assetFavorites.assetId} = ${assets.id} and ${assetFavorites.userId} = ${sql.placeholder('viewerId')})`,
    })
    .from(assets)
    .innerJoin(current, currentVersion)
    .innerJoin(storedObjects, eq(storedObjects.id, current.storedObjectId))
    .where(
      and(
        eq(assets.organizationId, sql.placeholder('organizationId')),
        eq(assets.id, sql.placeholder('id')),
        isNull(assets.deletedAt),
      ),
    )
    .prepare('asset_in_organization');

  return {
    async find(key: { organizationId: string; id: string; viewerId: string }) {
      const [row] = await one.execute(key);
      return row ?? null;
    },
  };
}

export type AssetRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof assetViewQueries>['find']>>
>;
