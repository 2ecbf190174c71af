import { api } from '../session/api.ts';
import { useOrganizationQuery } from '../session/queries.ts';

const maxCovers = 3;

/** Returns the thumbnails of a collection by its id, taken from the organization's latest images. */
export function useCovers(): (collectionId: string) => readonly string[] {
  const { data } = useOrganizationQuery({
    key: ['assets', 'covers'],
    read: (options) =>
      api.assets.list({ query: { scope: 'organization', type: 'image/', limit: 100 } }, options),
  });
  const covers = new Map<string, string[]>();
  for (const { collectionId, thumbnailUrl } of data?.items ?? []) {
    const urls = covers.get(collectionId) ?? [];
    if (thumbnailUrl && urls.length < maxCovers) covers.set(collectionId, [...urls, thumbnailUrl]);
  }
  return (collectionId) => covers.get(collectionId) ?? [];
}
