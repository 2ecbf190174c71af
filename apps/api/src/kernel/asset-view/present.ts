import type { Asset } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import type { AssetRow } from './queries.ts';

/** Seconds for which `assetLongUrl` works. */
export const longUrlSeconds = 15 * 60;

/** An asset as the contract shows it; signs its long address, without a network call. */
export async function presentAsset(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  row: AssetRow,
): Promise<Asset> {
  return {
    id: row.id,
    assetName: row.name,
    assetType: row.contentType,
    assetShortUrl: `${config.BASE_URL}/s/${row.shortCode}`,
    assetLongUrl: await store.presignDownload({
      key: row.key,
      expiresInSeconds: longUrlSeconds,
      fileName: row.name,
      contentType: row.contentType,
      disposition: 'inline',
    }),
    createdAt: row.createdAt.toISOString(),
    collectionId: row.collectionId,
    organizationId: row.organizationId,
    createdBy: row.createdBy,
    fileSize: row.fileSizeBytes,
    checksum: row.checksum,
    currentVersion: row.currentVersion,
    isFavorite: row.isFavorite,
    thumbnailUrl: null,
    publishedFromAssetId: row.publishedFromAssetId,
    publicLinkEnabled: row.publicLinkEnabled,
    updatedAt: row.updatedAt.toISOString(),
  };
}
