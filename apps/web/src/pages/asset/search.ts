import { assetListSearch, type AssetListSearch } from '../../library/asset-list-search.ts';
import { oneOf } from '../../ui/options.ts';

/** With the filters and the order of the list that the asset was opened from. */
export interface AssetSearch extends AssetListSearch {
  /** Default: the details. */
  readonly tab?: 'comments' | 'versions' | 'activity' | undefined;
}

/** Reads the search parameters of this page. */
export function validateSearch(search: Record<string, unknown>): AssetSearch {
  return {
    ...assetListSearch(search),
    tab: oneOf(['comments', 'versions', 'activity'], search['tab']),
  };
}
