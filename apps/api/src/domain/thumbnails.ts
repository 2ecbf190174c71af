import { objectPrefixes } from './stored-objects/kinds.ts';

/** The storage key of the thumbnail of a stored object. */
export function thumbnailKeyOf(storedObjectId: string): string {
  return `${objectPrefixes.thumbnail}${storedObjectId}.webp`;
}
