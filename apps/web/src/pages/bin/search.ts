import { searchText } from '../../library/search-params.ts';
import { oneOf } from '../../ui/options.ts';

export interface BinSearch {
  readonly q?: string | undefined;
  /** Default: assets. */
  readonly tab?: 'collections' | undefined;
  /** Default: deleted by anyone. */
  readonly scope?: 'mine' | undefined;
}

/** Reads the search parameters of this page. */
export function validateSearch({ q, tab, scope }: Record<string, unknown>): BinSearch {
  return {
    q: searchText(q),
    tab: oneOf(['collections'], tab),
    scope: oneOf(['mine'], scope),
  };
}
