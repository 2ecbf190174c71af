/** The storage key of the thumbnail of a stored object, below the prefix that the janitor knows. */
export function thumbnailKeyOf(storedObjectId: string): string {
  return `thumbnail/${storedObjectId}.webp`;
}
