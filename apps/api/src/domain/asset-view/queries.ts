import { and, eq, isNull, sql, type Placeholder } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Executor } from '../../db/executor.ts';
import { isoTimestamp } from '../../db/iso-timestamp.ts';
import { isFound } from '../../db/lookup.ts';
import { statement } from '../../db/session/statement.ts';
import { assetFavorites, assets, assetVersions, storedObjects } from '../../db/generated/schema.ts';
import { isStoredObject } from '../stored-objects/queries.ts';

const current = alias(assetVersions, 'current');

/** Who looks at the assets of which organization: the ids, or their placeholders. */
interface AssetView {
  readonly organizationId: string | Placeholder;
  readonly viewerId: string | Placeholder;
}

/** The columns of an asset for one viewer. For queries of assets with {@link assetJoins}. */
export function assetColumns({ organizationId, viewerId }: AssetView) {
  return {
    id: assets.id,
    organizationId: assets.organizationId,
    collectionId: assets.collectionId,
    name: assets.name,
    contentType: assets.contentType,
    description: assets.description,
    tags: assets.tags,
    fileSizeBytes: assets.fileSizeBytes,
    currentVersion: assets.currentVersion,
    shortCode: assets.shortCode,
    publicLinkEnabled: assets.publicLinkEnabled,
    publishedFromAssetId: assets.publishedFromAssetId,
    commentCount: assets.commentCount,
    openCommentCount: assets.openCommentCount,
    reviewStatus: current.reviewStatus,
    reviewedBy: current.reviewedBy,
    reviewedAt: current.reviewedAt,
    createdBy: assets.createdBy,
    createdAt: isoTimestamp(assets.createdAt),
    updatedAt: isoTimestamp(assets.updatedAt),
    key: storedObjects.key,
    checksum: storedObjects.checksum,
    detectedType: storedObjects.detectedType,
    widthPixels: storedObjects.widthPixels,
    heightPixels: storedObjects.heightPixels,
    thumbnailKey: storedObjects.thumbnailKey,
    isFavorite: isFound(
      sql`from ${assetFavorites} where ${assetFavorites.organizationId} = ${organizationId} and ${assetFavorites.assetId} = ${assets.id} and ${assetFavorites.userId} = ${viewerId}`,
    ),
  };
}

/** The joins for {@link assetColumns}: an asset's current version, and that version's content. */
export function assetJoins({ organizationId }: Pick<AssetView, 'organizationId'>) {
  const currentVersion = and(
    eq(current.organizationId, organizationId),
    eq(current.assetId, assets.id),
    eq(current.versionNumber, assets.currentVersion),
  );
  return {
    version: { table: current, on: currentVersion },
    content: {
      table: storedObjects,
      on: isStoredObject({ organizationId, id: current.storedObjectId }),
    },
  } as const;
}

const anyViewer = {
  organizationId: sql.placeholder('organizationId'),
  viewerId: sql.placeholder('viewerId'),
};
const joins = assetJoins(anyViewer);

const assetInOrganization = statement((db) =>
  db
    .select(assetColumns(anyViewer))
    .from(assets)
    .innerJoin(joins.version.table, joins.version.on)
    .innerJoin(joins.content.table, joins.content.on)
    .where(
      and(
        eq(assets.organizationId, anyViewer.organizationId),
        eq(assets.id, sql.placeholder('id')),
        isNull(assets.deletedAt),
      ),
    ),
);

/** An asset with its current version. */
export async function findAsset(
  db: Executor,
  key: { organizationId: string; id: string; viewerId: string },
) {
  const [row] = await assetInOrganization(db, key);
  return row ?? null;
}

export type AssetRow = Awaited<ReturnType<typeof assetInOrganization>>[number];
