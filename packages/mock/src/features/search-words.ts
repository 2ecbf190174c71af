import { maxHighlightLength, minBeginningLength, type SearchTerm } from '@atelier/contract';

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Folds case, accents and width. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => letters[letter] ?? letter);
}

/** A word of a text, folded, and where it is. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the words of a text as `searchWordsOf` does, with their places. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}\p{Cf}]+/gu)].flatMap(({ 0: typed, index }) => {
    const word = folded(typed);
    return word === '' ? [] : [{ word, start: index, end: index + typed.length }];
  });
}

/** Returns the tokens that a term matches, as runs of its words. */
export function runsOf(term: SearchTerm, tokens: readonly Token[]): (readonly Token[])[] {
  const words = term.words.map(folded);
  return tokens.flatMap((_, from) => {
    const run = tokens.slice(from, from + words.length);
    const fits =
      run.length === words.length &&
      run.every(({ word }, index) => {
        const wanted = words[index] ?? '';
        const isLast = index === words.length - 1;
        const isBeginning = term.isBeginning && isLast && wanted.length >= minBeginningLength;
        return isBeginning ? word.startsWith(wanted) : word === wanted;
      });
    return fits ? [run] : [];
  });
}

/** Returns the most similar of some words; null if none resembles it. */
export function similarWord(wanted: string, words: readonly string[]): string | null {
  const most = Math.floor(wanted.length / 3);
  const near = words
    .map((word) => ({ word, distance: distanceBetween(wanted, word) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.word ?? null;
}

/** Counts letters to add, remove, replace or swap with the next. */
function distanceBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** Returns the part of a text around its first match, with the matches in it. */
export function highlightIn(text: string, matched: readonly Token[]) {
  const runs = merged(matched);
  const first = runs[0];
  if (!first) return null;
  const from = first.start < 120 ? 0 : whole(text, first.start - 60);
  const to = whole(text, from + maxHighlightLength);
  return {
    text: text.slice(from, to),
    ranges: runs
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => [start - from, end - from]),
  };
}

/** Returns the next lower offset that parts no character. */
function whole(text: string, offset: number): number {
  const isInside = /[\udc00-\udfff]/.test(text[offset] ?? '');
  return isInside ? offset - 1 : offset;
}

function merged(tokens: readonly Token[]): Token[] {
  const sorted = tokens.toSorted((a, b) => a.start - b.start);
  return sorted.filter(({ start }, index) => sorted[index - 1]?.start !== start);
}
