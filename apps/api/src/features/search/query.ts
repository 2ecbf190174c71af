import { minBeginningLength, type SearchQuery, type SearchTerm } from '@atelier/contract';
import type { Fold } from '../../domain/folding.ts';
import { lexemesOf } from '../../domain/search-index/documents.ts';

/** Shorter words have too few trigrams to tell what they resemble. */
const minSimilarLength = 3;

/** The words of a query as the index has them. */
export interface FoldedTerm {
  /** At least one; they follow each other. */
  readonly lexemes: readonly string[];
  /** Whether the last one may be the beginning of a word. */
  readonly isBeginning: boolean;
}

export interface FoldedQuery {
  readonly terms: readonly FoldedTerm[];
  readonly excluded: readonly FoldedTerm[];
}

export function foldQuery(query: Pick<SearchQuery, 'terms' | 'excluded'>, fold: Fold): FoldedQuery {
  const foldTerms = (terms: readonly SearchTerm[]) =>
    terms.map((term) => foldTerm(term, fold)).filter(({ lexemes }) => lexemes.length > 0);
  return { terms: foldTerms(query.terms), excluded: foldTerms(query.excluded) };
}

function foldTerm({ words, isBeginning }: SearchTerm, fold: Fold): FoldedTerm {
  const lexemes = words.flatMap((word) => lexemesOf(word, fold));
  const last = lexemes.at(-1) ?? '';
  return { lexemes, isBeginning: isBeginning && last.length >= minBeginningLength };
}

/**
 * Writes a query in the language of the database. Only letters and digits of the caller get there, in quotes.
 *
 * @param where - `in titles`: only words of titles and keys match, and of file names as a whole
 * @returns null for a query without words
 */
export function tsqueryOf(
  { terms, excluded }: FoldedQuery,
  where: 'anywhere' | 'in titles',
): string | null {
  const parts = [
    ...terms.map((term) => termOf(term, where)),
    ...excluded.map((term) => `!(${termOf(term, where)})`),
  ];
  return parts.length === 0 ? null : parts.join(' & ');
}

/** Writes what may not occur, like {@link tsqueryOf}; null if anything may. */
export function unwantedOf({ excluded }: FoldedQuery): string | null {
  return excluded.length === 0
    ? null
    : excluded.map((term) => termOf(term, 'anywhere')).join(' | ');
}

function termOf({ lexemes, isBeginning }: FoldedTerm, where: 'anywhere' | 'in titles'): string {
  // An extension follows the name that it belongs to.
  const weights = where === 'anywhere' ? '' : lexemes.length > 1 ? 'AB' : 'A';
  const words = lexemes.map((lexeme, index) => {
    const marks = `${isBeginning && index === lexemes.length - 1 ? '*' : ''}${weights}`;
    return marks === '' ? `'${lexeme}'` : `'${lexeme}':${marks}`;
  });
  return words.length === 1 ? words.join('') : `(${words.join(' <-> ')})`;
}

/** Returns the words that titles may resemble. */
export function similarWordsOf({ terms }: FoldedQuery): string[] {
  const words = terms.flatMap(({ lexemes }) => lexemes);
  return words.filter((word) => word.length >= minSimilarLength && /[a-z]/.test(word));
}

/** Returns how much a title has to resemble each word: several together say more than one. */
export function similarityFor(words: readonly string[]): number {
  return words.length > 1 ? 0.28 : 0.45;
}

/** Tells whether a query says more than words. */
export function hasFilter({ filters }: SearchQuery): boolean {
  const { types, in: places, by, assignee, is, before, after } = filters;
  const lists: readonly (readonly string[])[] = [types, places, by, assignee, is];
  return before !== null || after !== null || lists.some(({ length }) => length > 0);
}

/** Returns the whole query as a title may be written, folded. */
export function titleOf(
  typed: string,
  { query, folded, fold }: { query: SearchQuery; folded: FoldedQuery; fold: Fold },
): string {
  if (hasFilter(query) || query.excluded.length > 0) {
    return folded.terms.flatMap(({ lexemes }) => lexemes).join(' ');
  }
  return fold(typed.replaceAll(/["“”„]/g, '').trim());
}
