import { searchText } from '../../library/search-params.ts';
import { oneOf } from '../../ui/options.ts';

export const collectionSorts = [
  '-updatedAt',
  '-createdAt',
  'createdAt',
  'title',
  '-title',
] as const;
export type CollectionSort = (typeof collectionSorts)[number];

export interface CollectionsSearch {
  readonly q?: string | undefined;
  /** Default: last updated first. */
  readonly sort?: CollectionSort | undefined;
  /** Default: all. */
  readonly scope?: 'mine' | undefined;
}

/** Reads the search parameters of this page. */
export function validateSearch({ q, sort, scope }: Record<string, unknown>): CollectionsSearch {
  return {
    q: searchText(q),
    sort: oneOf(collectionSorts, sort),
    scope: oneOf(['mine'], scope),
  };
}
