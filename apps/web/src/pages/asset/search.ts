import { oneOf } from '../../library/search-params.ts';

export interface AssetSearch {
  /** Default: the details. */
  readonly tab?: 'versions' | 'activity' | undefined;
}

/** Reads the search parameters of this page. */
export function validateSearch({ tab }: Record<string, unknown>): AssetSearch {
  return { tab: oneOf(['versions', 'activity'], tab) };
}
