import type { Asset, AssetReview } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { AssetRow } from './queries.ts';

/** Lifetime of `assetLongUrl` in seconds. */
export const longUrlSeconds = 15 * 60;
/** Minimum lifetime of a thumbnail's address in seconds. */
const thumbnailUrlSeconds = 15 * 60;
/** Seconds for which it stays the same, for the caches of browsers. */
const thumbnailUrlSteadySeconds = 30 * 60;

/** Presents an asset as in the contract; signs its storage addresses, without a network call. */
export async function presentAsset(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  row: AssetRow,
): Promise<Asset> {
  return {
    id: row.id,
    assetName: row.name,
    assetType: row.contentType,
    description: row.description,
    tags: row.tags ?? [],
    assetShortUrl: `${config.BASE_URL}/s/${row.shortCode}`,
    assetLongUrl: await store.presignDownload({
      key: row.key,
      expiresInSeconds: longUrlSeconds,
      fileName: row.name,
      contentType: row.contentType,
      detectedType: row.detectedType,
      disposition: 'inline',
    }),
    createdAt: row.createdAt,
    collectionId: row.collectionId,
    organizationId: row.organizationId,
    createdBy: row.createdBy,
    fileSize: row.fileSizeBytes,
    checksum: row.checksum,
    detectedType: row.detectedType,
    width: row.widthPixels,
    height: row.heightPixels,
    currentVersion: row.currentVersion,
    isFavorite: row.isFavorite,
    thumbnailUrl: await thumbnailUrlOf(store, row.thumbnailKey),
    publishedFromAssetId: row.publishedFromAssetId,
    publicLinkEnabled: row.publicLinkEnabled,
    review: presentReview({ ...row, versionNumber: row.currentVersion }),
    commentCount: row.commentCount,
    openCommentCount: row.openCommentCount,
    updatedAt: row.updatedAt,
  };
}

interface ReviewedVersion extends Pick<AssetRow, 'reviewStatus' | 'reviewedBy' | 'reviewedAt'> {
  readonly versionNumber: number;
}

export function presentReview(version: ReviewedVersion): AssetReview {
  return {
    status: version.reviewStatus ?? 'NONE',
    versionNumber: version.versionNumber,
    changedBy: version.reviewedBy,
    changedAt: version.reviewedAt?.toISOString() ?? null,
  };
}

/** Signs the address of a thumbnail, without a network call. */
export async function thumbnailUrlOf(
  store: Pick<ObjectStore, 'presignDownload'>,
  key: string | null,
): Promise<string | null> {
  if (key === null) return null;
  return store.presignDownload({
    key,
    expiresInSeconds: thumbnailUrlSeconds,
    steadyForSeconds: thumbnailUrlSteadySeconds,
    fileName: 'thumbnail.webp',
    contentType: 'image/webp',
    detectedType: 'image/webp',
    disposition: 'inline',
  });
}
