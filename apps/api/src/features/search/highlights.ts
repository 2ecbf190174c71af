import { maxHighlightLength, type SearchHighlight } from '@atelier/contract';
import type { Fold } from '../../domain/folding.ts';
import { lexemesOf } from '../../domain/search-index/documents.ts';
import type { FoldedTerm } from './query.ts';

export type Range = [start: number, end: number];

/** Characters that are shown before the first match, at most. */
const leadLength = 60;

/** As `searchWordsOf` finds them, with the invisible signs that it leaves out. */
const wordPattern = /[\p{L}\p{M}\p{N}\p{Cf}]+/gu;

/** What may still be spent on texts, in folded letters: some letters become many. */
export interface Allowance {
  left: number;
}

/** What a word costs beside its letters. */
const wordCost = 8;

export interface Sought {
  readonly terms: readonly FoldedTerm[];
  readonly fold: Fold;
}

/** Finds the words of a query in a short text. @returns ascending ranges that part no character */
export function rangesIn(text: string, sought: Sought): Range[] {
  const words = [...wordsIn(text, sought, { left: Infinity })];
  return words.flatMap(({ isSought, range }) => (isSought ? [range] : []));
}

/** Looks only as far as it is asked for words, and as the allowance suffices. */
function* wordsIn(
  text: string,
  { terms, fold }: Sought,
  allowance: Allowance,
): Generator<{ isSought: boolean; range: Range }> {
  const whole = new Set(terms.flatMap(({ lexemes }) => lexemes));
  const beginnings = terms.flatMap(({ lexemes, isBeginning }) =>
    isBeginning ? lexemes.slice(-1) : [],
  );
  const isMatch = (lexeme: string) =>
    whole.has(lexeme) || beginnings.some((beginning) => lexeme.startsWith(beginning));
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    if (allowance.left <= 0) return;
    const lexemes = lexemesOf(word, fold);
    allowance.left -= lexemes.reduce((sum, { length }) => sum + length, wordCost);
    yield { isSought: lexemes.some(isMatch), range: [index, index + word.length] };
  }
}

/** Returns the part of a field around its first match, or null without one that the allowance suffices for. */
export function highlightOf(
  { field, text }: Pick<SearchHighlight, 'field' | 'text'>,
  sought: Sought,
  allowance: Allowance,
): SearchHighlight | null {
  const ranges: Range[] = [];
  let start = 0;
  let end = text.length;
  for (const { isSought, range } of wordsIn(text, sought, allowance)) {
    const [from, to] = range;
    if (from >= end) break;
    if (!isSought) continue;
    if (ranges.length === 0) {
      start = text.length <= maxHighlightLength ? 0 : startBefore(text, from);
      end = borderAt(text, Math.min(text.length, start + maxHighlightLength));
    }
    ranges.push([from - start, Math.min(to, end) - start]);
  }
  return ranges.length === 0 ? null : { field, text: text.slice(start, end), ranges };
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
