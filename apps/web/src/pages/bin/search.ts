import { oneOf, searchWords } from '../../library/search-words.ts';

export interface BinSearch {
  readonly q?: string | undefined;
  /** Default: assets. */
  readonly tab?: 'collections' | undefined;
  /** Default: everyone's. */
  readonly scope?: 'mine' | undefined;
}

/** The part of the address behind the `?` that this page reads. */
export function validateSearch({ q, tab, scope }: Record<string, unknown>): BinSearch {
  return {
    q: searchWords(q),
    tab: oneOf(['collections'], tab),
    scope: oneOf(['mine'], scope),
  };
}
