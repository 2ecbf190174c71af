import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'error' | 'fetchNextPage'>;

/**
 * Fetches the following pages of a list by themselves.
 *
 * @param count - of the items that are there
 * @param max - the number of items from which on the user asks for more
 */
export function useFollowingPages(query: Pages, count: number, max: number): void {
  const { fetchNextPage } = query;
  const isWanted = count < max && query.hasNextPage && !query.isFetching && query.error === null;
  useEffect(() => {
    // Another part of the page may follow the same list.
    if (isWanted) void fetchNextPage({ cancelRefetch: false });
  }, [isWanted, count, fetchNextPage]);
}
