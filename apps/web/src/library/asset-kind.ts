import type { Asset } from '@atelier/client';
import {
  File,
  FileArchive,
  FileText,
  FileType,
  Film,
  Image,
  Music,
  type LucideIcon,
} from 'lucide-react';

/** Kind of a file, derived from its media type. */
export type AssetKind = 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'archive' | 'other';

const kinds: readonly (readonly [RegExp, AssetKind])[] = [
  [/^image\//, 'image'],
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/^application\/pdf$/, 'pdf'],
  [/^text\/|^application\/(json|xml|javascript|x-sh|yaml|toml|sql)$|\+(json|xml)$/, 'text'],
  [/zip|x-tar|x-7z|x-rar|x-bzip|zstd/, 'archive'],
];

export function kindOf({ assetType }: Pick<Asset, 'assetType'>): AssetKind {
  return kinds.find(([pattern]) => pattern.test(assetType))?.[1] ?? 'other';
}

export const kindIcons: Record<AssetKind, LucideIcon> = {
  image: Image,
  video: Film,
  audio: Music,
  pdf: FileType,
  text: FileText,
  archive: FileArchive,
  other: File,
};
