import { maxHighlightLength, type SearchHighlight } from '@atelier/contract';
import type { Fold } from '../../domain/folding.ts';
import { lexemesOf } from '../../domain/search-index/documents.ts';
import type { FoldedTerm } from './query.ts';

export type Range = [start: number, end: number];

/** Characters that are shown before the first match, at most. */
const leadLength = 60;

/** As `searchWordsOf` finds them, with the invisible signs that it leaves out. */
const wordPattern = /[\p{L}\p{M}\p{N}\p{Cf}]+/gu;

/** Finds the words of a query in a text. @returns ascending ranges that part no character */
export function rangesIn(text: string, terms: readonly FoldedTerm[], fold: Fold): Range[] {
  const whole = new Set(terms.flatMap(({ lexemes }) => lexemes));
  const beginnings = terms.flatMap(({ lexemes, isBeginning }) =>
    isBeginning ? lexemes.slice(-1) : [],
  );
  const isMatch = (lexeme: string) =>
    whole.has(lexeme) || beginnings.some((beginning) => lexeme.startsWith(beginning));
  return [...text.matchAll(wordPattern)].flatMap(({ 0: word, index }) =>
    lexemesOf(word, fold).some(isMatch) ? [[index, index + word.length] satisfies Range] : [],
  );
}

/** Returns the part of a field around its first match, or null without one. */
export function highlightOf(
  { field, text }: Pick<SearchHighlight, 'field' | 'text'>,
  terms: readonly FoldedTerm[],
  fold: Fold,
): SearchHighlight | null {
  const ranges = rangesIn(text, terms, fold);
  const [first] = ranges;
  if (!first) return null;
  const start = text.length <= maxHighlightLength ? 0 : startBefore(text, first[0]);
  const end = borderAt(text, Math.min(text.length, start + maxHighlightLength));
  return {
    field,
    text: text.slice(start, end),
    ranges: ranges
      .filter(([from]) => from >= start && from < end)
      .map(([from, to]) => [from - start, Math.min(to, end) - start]),
  };
}

/** A beginning of a word some way before a match. */
function startBefore(text: string, match: number): number {
  if (match <= leadLength) return 0;
  const earliest = match - leadLength;
  const space = text.slice(earliest, match).search(/\s\S/u);
  return space === -1 ? borderAt(text, earliest) : earliest + space + 1;
}

/** The place itself, or the one before if a character is parted there. */
function borderAt(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc_00 && unit <= 0xdf_ff ? place - 1 : place;
}
