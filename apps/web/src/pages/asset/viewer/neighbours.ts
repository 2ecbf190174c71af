import { useQueryClient } from '@tanstack/react-query';
import type { Asset } from '@atelier/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { listQuery } from '../../../library/list-query.ts';
import { useItemPages, useOrganizationQueries } from '../../../session/queries.ts';

/** The assets around one, in the order of the list that the user came from. */
export interface Neighbours {
  /** What is loaded of the list. */
  readonly items: readonly Asset[];
  /** Position of the asset in it; -1 if it isn't among them. */
  readonly index: number;
  readonly total: number;
  readonly isTotalLowerBound: boolean;
  readonly previous: Asset | undefined;
  readonly next: Asset | undefined;
  /** Opens another asset in place of this one; going back leads to the list. */
  readonly open: (asset: Asset) => void;
}

/** Searches no further for an asset that was opened by its link. */
const maxSearched = 500;
/** Loads more when fewer follow. */
const minAhead = 10;

/** Finds the assets before and after one in its collection. */
export function useNeighbours({ id, collectionId }: Asset): Neighbours {
  const search = useSearch({ from: '/shell/assets/$id' });
  const queries = useOrganizationQueries();
  const client = useQueryClient();
  const navigate = useNavigate({ from: '/assets/$id' });
  // The same query as that of the collection's page, so that its pages are already here.
  const list = useItemPages(
    queries.assets.listInCollection.infiniteQueryOptions({
      params: { collectionId },
      query: listQuery(search),
    }),
  );
  const { items, total, isTotalLowerBound, error, hasMore, isLoadingMore, loadMore } = list;
  const index = items.findIndex((item) => item.id === id);
  const isShort = index === -1 ? items.length < maxSearched : items.length - index <= minAhead;
  const isWanted = isShort && hasMore && !isLoadingMore && error === null;
  const latest = useRef(loadMore);
  useEffect(() => {
    latest.current = loadMore;
  });
  useEffect(() => {
    if (isWanted) latest.current();
  }, [isWanted, items.length]);
  return {
    items,
    index,
    total,
    isTotalLowerBound,
    previous: index > 0 ? items[index - 1] : undefined,
    next: index === -1 ? undefined : items[index + 1],
    open(asset) {
      const { queryKey } = queries.assets.get.queryOptions({ params: { id: asset.id } });
      // Shown at once; the page refetches it.
      if (!client.getQueryData(queryKey)) client.setQueryData(queryKey, asset, { updatedAt: 1 });
      void navigate({
        to: '/assets/$id',
        params: { id: asset.id },
        search: (before) => ({ ...before, tab: undefined }),
        replace: true,
      });
    },
  };
}
