import { oneOf, searchText } from './search-params.ts';

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

/** Filters and order of the list of a collection. */
export interface AssetListSearch {
  readonly q?: string | undefined;
  /** Default: newest first. */
  readonly sort?: (typeof sorts)[number] | undefined;
  /** Prefix of the media type; default: any. */
  readonly type?: (typeof types)[number] | undefined;
}

/** Reads them from search parameters. */
export function assetListSearch({ q, sort, type }: Record<string, unknown>): AssetListSearch {
  return { q: searchText(q), sort: oneOf(sorts, sort), type: oneOf(types, type) };
}
