import { useQuery } from '@tanstack/react-query';
import { useOrganizationQueries } from '../session/queries.ts';

const maxCovers = 3;

/** Returns the thumbnails of a collection by its id, taken from the organization's latest images. */
export function useCovers(): (collectionId: string) => readonly string[] {
  const queries = useOrganizationQueries();
  const { data } = useQuery(
    queries.assets.list.queryOptions({
      query: { scope: 'organization', type: 'image/', limit: 100 },
    }),
  );
  const covers = new Map<string, string[]>();
  for (const { collectionId, thumbnailUrl } of data?.items ?? []) {
    const urls = covers.get(collectionId) ?? [];
    if (thumbnailUrl && urls.length < maxCovers) covers.set(collectionId, [...urls, thumbnailUrl]);
  }
  return (collectionId) => covers.get(collectionId) ?? [];
}
