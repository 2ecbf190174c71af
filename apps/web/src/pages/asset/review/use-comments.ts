import { maxFollowedComments } from '../../../review/max-followed.ts';
import { useItemPages, useOrganizationQueries } from '../../../session/queries.ts';

export type CommentFilter = 'open' | 'resolved' | 'all';

/** Fetches the comments on an asset, oldest first. */
export function useAssetComments(id: string, filter: CommentFilter) {
  const queries = useOrganizationQueries();
  return useItemPages(
    queries.assetComments.list.infiniteQueryOptions({
      params: { id },
      query: { limit: 100, ...(filter !== 'all' && { isResolved: filter === 'resolved' }) },
    }),
    // What is posted is on the last page.
    maxFollowedComments,
  );
}
