import { searchText } from './search-params.ts';
import { oneOf } from '../ui/options.ts';

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

const reviews = ['NONE', 'IN_REVIEW', 'APPROVED', 'CHANGES_REQUESTED'] as const;

/** Filters and order of the list of a collection. */
export interface AssetListSearch {
  readonly q?: string | undefined;
  /** Default: newest first. */
  readonly sort?: (typeof sorts)[number] | undefined;
  /** Prefix of the media type; default: any. */
  readonly type?: (typeof types)[number] | undefined;
  /** Of the current version; default: any. */
  readonly review?: (typeof reviews)[number] | undefined;
  /** Separated by `,`; the assets have all of them. */
  readonly tags?: string | undefined;
}

/** Reads them from search parameters. */
export function assetListSearch({
  q,
  sort,
  type,
  review,
  tags,
}: Record<string, unknown>): AssetListSearch {
  return {
    q: searchText(q),
    sort: oneOf(sorts, sort),
    type: oneOf(types, type),
    review: oneOf(reviews, review),
    tags: searchText(tags),
  };
}
