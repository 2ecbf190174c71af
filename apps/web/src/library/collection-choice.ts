import type { UseQueryResult } from '@tanstack/react-query';
import type { Collection } from '@atelier/client';
import { api } from '../session/api.ts';
import { useComposedQuery } from '../session/queries.ts';

/** A longer list is of no use to choose from. */
const mostListed = 1_000;

/**
 * Lists the collections to choose from, last updated first: at most 1,000.
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
      for await (const collection of all) {
        if (collections.push(collection) === mostListed) break;
      }
      return collections;
    },
  });
}
