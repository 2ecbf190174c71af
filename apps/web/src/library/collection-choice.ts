import { useQuery } from '@tanstack/react-query';
import type { Collection } from '@atelier/client';
import { useOrganizationQueries } from '../session/queries.ts';

/** Lists the collections to choose from, last updated first; undefined while loading. */
export function useCollectionChoice(): readonly Collection[] | undefined {
  const queries = useOrganizationQueries();
  return useQuery(
    queries.collections.list.queryOptions({
      query: { scope: 'organization', limit: 100, sort: '-updatedAt' },
    }),
  ).data?.items;
}
