import { searchWordsOf, type SearchQuery } from '@atelier/contract';
import type { Fold } from '../../domain/folding.ts';

/** Edits for each letter beyond which another word is no correction. */
const maxEditsPerLetter = 0.5;

/**
 * Writes a query in words of titles, each the closest one.
 *
 * @param titles - of hits that the caller may read: nothing else may show in a correction
 * @returns null if no word needs to be another
 */
export function correctedQuery(
  { terms }: SearchQuery,
  titles: readonly string[],
  fold: Fold,
): string | null {
  const known = titles.flatMap(searchWordsOf).map((word) => ({ word, folded: fold(word) }));
  const typed = terms.flatMap(({ words }) => words);
  const corrected = typed.map((word) => closestTo(word, known, fold));
  const isSame = corrected.every((word, index) => word === typed[index]);
  return isSame ? null : corrected.join(' ').toLowerCase();
}

function closestTo(
  word: string,
  known: readonly { word: string; folded: string }[],
  fold: Fold,
): string {
  const folded = fold(word);
  let closest = { word, edits: Math.ceil(folded.length * maxEditsPerLetter) };
  for (const candidate of known) {
    if (candidate.folded === folded) return word;
    const edits = editsBetween(folded, candidate.folded);
    if (edits < closest.edits) closest = { word: candidate.word, edits };
  }
  return closest.word;
}

/** Counts letters to insert, remove, replace, or exchange with the next one. */
function editsBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isEqual = from[row - 1] === to[column - 1];
      const isExchange =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
          isExchange ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
