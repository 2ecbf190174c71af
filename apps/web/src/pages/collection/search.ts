import { oneOf, searchText } from '../../library/search-params.ts';

const sorts = [
  '-createdAt',
  'createdAt',
  'assetName',
  '-assetName',
  '-fileSize',
  'fileSize',
  '-updatedAt',
] as const;
const types = ['image/', 'video/', 'audio/', 'application/pdf', 'text/'] as const;

export interface CollectionSearch {
  readonly q?: string | undefined;
  /** Default: newest first. */
  readonly sort?: (typeof sorts)[number] | undefined;
  /** Prefix of the media type; default: any. */
  readonly type?: (typeof types)[number] | undefined;
}

/** Reads the search parameters of this page. */
export function validateSearch({ q, sort, type }: Record<string, unknown>): CollectionSearch {
  return { q: searchText(q), sort: oneOf(sorts, sort), type: oneOf(types, type) };
}
