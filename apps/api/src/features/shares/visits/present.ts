import { sharedAddressSeconds, type PublicAsset, type PublicShare } from '@atelier/contract';
import type { Deps } from '../../../deps.ts';
import { displayNameOf } from '../../../domain/person-view/present-user.ts';
import type { ShownAsset } from '../../../domain/shares/queries/shown-assets.ts';
import type { LinkedShare } from '../../../domain/shares/queries/visits.ts';
import type { VisitedShare } from '../../../kernel/context.ts';

/** Presents a share to its visitors. */
export function presentVisited(row: VisitedShare | LinkedShare): PublicShare {
  return {
    type: row.targetType,
    title: row.title,
    label: row.label,
    organizationName: row.organizationName,
    sharedBy: displayNameOf(row.sharer),
    allowDownload: row.allowDownload,
    allowComments: row.allowComments,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}

/** Presents an asset to visitors; signs the addresses of derived pictures, without a network call. */
export async function presentShown(
  { store, pictures }: Pick<Deps, 'store' | 'pictures'>,
  row: ShownAsset,
  { watermark }: Pick<VisitedShare, 'watermark'>,
): Promise<PublicAsset> {
  const address = (key: string, type: 'image/jpeg' | 'image/webp', fileName: string) =>
    store.presignDownload({
      key,
      expiresInSeconds: sharedAddressSeconds,
      fileName,
      contentType: type,
      detectedType: type,
      disposition: 'inline',
    });
  const previewUrl = row.pictureKey && (await address(row.pictureKey, 'image/jpeg', 'picture.jpg'));
  const isPossible =
    row.checksum === null || pictures.knows({ type: row.detectedType, bytes: row.fileSizeBytes });
  // Thumbnails have no watermark.
  const thumbnailUrl =
    watermark === null && row.thumbnailKey !== null
      ? await address(row.thumbnailKey, 'image/webp', 'thumbnail.webp')
      : previewUrl;
  return {
    id: row.id,
    name: row.name,
    contentType: row.contentType,
    fileSize: row.fileSizeBytes,
    thumbnailUrl,
    previewUrl,
    preview: previewUrl ? 'READY' : row.hasPicture || !isPossible ? 'NONE' : 'PENDING',
  };
}
