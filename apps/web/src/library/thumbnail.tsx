import type { Asset } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import { kindIcons, kindOf } from './asset-kind.ts';

interface ThumbnailProps {
  readonly asset: Pick<Asset, 'assetName' | 'assetType' | 'thumbnailUrl'>;
  readonly size: 'tile' | 'row' | 'strip';
}

const shapes = {
  tile: 'aspect-[4/3] w-full',
  row: 'size-9 shrink-0 rounded-md',
  strip: 'h-12 w-16 shrink-0',
};

/** Shows the thumbnail of an asset, or an icon of its kind. Decorative: its name is shown beside it. */
export function Thumbnail({ asset, size }: ThumbnailProps): ReactNode {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const { thumbnailUrl } = asset;
  const kind = kindOf(asset);
  const isTile = size === 'tile';
  const Icon = kindIcons[kind];
  if (thumbnailUrl && thumbnailUrl !== brokenUrl) {
    const picture = (
      <img
        src={thumbnailUrl}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setBrokenUrl(thumbnailUrl)}
        className={classNames(
          'bg-sunken object-cover',
          kind === 'pdf' && 'object-top',
          shapes[size],
        )}
      />
    );
    if (!isTile || kind === 'image') return picture;
    return (
      <span className="relative block">
        {picture}
        <span
          aria-hidden
          className="absolute bottom-2 left-2 flex items-center gap-1 rounded-md border border-line bg-raised px-1.5 py-0.5 text-xs font-medium text-ink-muted uppercase"
        >
          <Icon className="size-3.5" />
          {extensionOf(asset)}
        </span>
      </span>
    );
  }
  return (
    <span
      aria-hidden
      className={classNames(
        'flex flex-col items-center justify-center gap-1.5 bg-sunken text-ink-muted',
        shapes[size],
      )}
    >
      <Icon className={isTile ? 'size-8 stroke-[1.25]' : 'size-4'} />
      {isTile ? (
        <span className="max-w-[80%] truncate text-xs font-medium uppercase">
          {extensionOf(asset)}
        </span>
      ) : null}
    </span>
  );
}

/** Extensions of common types. */
const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
};

/** Returns the extension of the name, or that of the type if a new version has another type than the name says. */
export function extensionOf({
  assetName,
  assetType,
}: Pick<Asset, 'assetName' | 'assetType'>): string {
  const named = /\.(\w{1,6})$/.exec(assetName)?.[1]?.toLowerCase() ?? '';
  const typed = extensions[assetType];
  const isOfOtherType = named === '' || Object.values(extensions).includes(named);
  return typed && isOfOtherType ? typed : named;
}
