import type { Collection } from '@atelier/client';
import { api } from '../session/api.ts';
import { useOrganizationQuery } from '../session/queries.ts';

/** Lists the collections to choose from, last updated first; undefined while loading. */
export function useCollectionChoice(): readonly Collection[] | undefined {
  return useOrganizationQuery({
    key: ['collections', 'choice'],
    read: (options) =>
      api.collections.list(
        { query: { scope: 'organization', limit: 100, sort: '-updatedAt' } },
        options,
      ),
  }).data?.items;
}
