import type { UseQueryResult } from '@tanstack/react-query';
import type { Collection } from '@atelier/client';
import { api } from '../session/api.ts';
import { useComposedQuery } from '../session/queries.ts';

/**
 * Lists the collections to choose from, last updated first.
 *
 * @param organizationId - default: the selected organization
 */
export function useCollectionChoice(
  organizationId?: string | null,
): UseQueryResult<readonly Collection[]> {
  return useComposedQuery({
    key: ['collections', 'choice'],
    organizationId,
    async read(options) {
      const collections: Collection[] = [];
      const all = api.collections.list.iterate(
        { query: { scope: 'organization', limit: 100, sort: '-updatedAt' } },
        options,
      );
      for await (const collection of all) collections.push(collection);
      return collections;
    },
  });
}
