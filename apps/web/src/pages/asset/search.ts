import { oneOf } from '../../library/search-words.ts';

export interface AssetSearch {
  /** Default: the details. */
  readonly tab?: 'versions' | 'activity' | undefined;
}

/** The part of the address behind the `?` that this page reads. */
export function validateSearch({ tab }: Record<string, unknown>): AssetSearch {
  return { tab: oneOf(['versions', 'activity'], tab) };
}
