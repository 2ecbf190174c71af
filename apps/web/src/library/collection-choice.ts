import type { Collection } from '@atelier/client';
import { api } from '../api.ts';
import { useOrganizationQuery } from '../session/queries.ts';

/** Collections to put something into, the latest changed first; undefined until they are known. */
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
