import { api } from '../api.ts';
import { useOrganizationQuery } from '../session/queries.ts';

/** Small pictures that a collection shows. */
const most = 3;

/** Small pictures of each collection, by its id, out of the latest pictures of the organization. */
export function useCovers(): (collectionId: string) => readonly string[] {
  const { data } = useOrganizationQuery({
    key: ['assets', 'covers'],
    read: (options) =>
      api.assets.list({ query: { scope: 'organization', type: 'image/', limit: 100 } }, options),
  });
  const covers = new Map<string, string[]>();
  for (const { collectionId, thumbnailUrl } of data?.items ?? []) {
    const urls = covers.get(collectionId) ?? [];
    if (thumbnailUrl && urls.length < most) covers.set(collectionId, [...urls, thumbnailUrl]);
  }
  return (collectionId) => covers.get(collectionId) ?? [];
}
