import { ApiError, type SearchHit, type SearchPage } from '@atelier/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../session/api.ts';
import { loadNextPage, type ItemPages } from '../../session/queries.ts';
import { useOrganizationId } from '../../session/selected-organization.ts';
import { useQueryError } from '../../ui/use-query-error.ts';
import { queryOf, type SearchFilters } from './filters.ts';

const limit = 20;

interface SearchPages extends ItemPages<SearchHit> {
  /** What the first page says of all; undefined while loading. */
  readonly first: SearchPage | undefined;
  /** The query has nothing to look for. */
  readonly isSignsOnly: boolean;
  /** What is shown belongs to an earlier query. */
  readonly isOutdated: boolean;
}

/** Searches page by page. What an earlier query found stays until the next response. */
export function useSearchPages(filters: SearchFilters): SearchPages {
  const organizationId = useOrganizationId();
  const request = queryOf(filters);
  const query = useInfiniteQuery({
    // Not below the key of the API: each change of the organization would send all pages again.
    queryKey: ['search', organizationId, request],
    queryFn: ({ signal, pageParam }) =>
      api.search.find(
        { query: { ...request, limit, ...(pageParam !== null && { cursor: pageParam }) } },
        { organizationId, signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
    enabled: filters.q !== '',
    placeholderData: keepPreviousData,
  });
  const error = useQueryError(query);
  const isSignsOnly = error instanceof ApiError && error.code === 'search_query_invalid';
  const first = query.data?.pages[0];
  return {
    first,
    isSignsOnly,
    isOutdated: query.isPlaceholderData,
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
    total: first?.totals.all ?? 0,
    isTotalLowerBound: first?.totals.isTotalLowerBound ?? false,
    isPending: query.isPending && !error,
    error: isSignsOnly ? null : error,
    refetch: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void loadNextPage(query),
  };
}
