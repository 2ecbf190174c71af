import { oneOf, searchWords } from '../../library/search-words.ts';

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
  /** Default: the latest changed first. */
  readonly sort?: CollectionSort | undefined;
  /** Default: everyone's. */
  readonly scope?: 'mine' | undefined;
}

/** The part of the address behind the `?` that this page reads. */
export function validateSearch({ q, sort, scope }: Record<string, unknown>): CollectionsSearch {
  return {
    q: searchWords(q),
    sort: oneOf(collectionSorts, sort),
    scope: oneOf(['mine'], scope),
  };
}
