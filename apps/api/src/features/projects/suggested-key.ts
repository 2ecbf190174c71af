/** Loaded with the first new project: it brings a table of half a megabyte. */
import anyAscii from 'any-ascii';
import { maxKeyLength } from './policy.ts';

/** For a name without a letter that A to Z can represent. */
const fallbackKey = 'PRJ';

/**
 * Suggests a key for a name: the initials of its words, or the beginning of its only word.
 *
 * @returns 2 to 5 of A–Z and 0–9, the first one a letter
 */
export function suggestedKey(name: string): string {
  const words =
    anyAscii(name)
      .toUpperCase()
      .match(/[A-Z0-9]+/g) ?? [];
  const initials = fromFirstLetter(words.map((word) => word.slice(0, 1)).join(''));
  if (initials.length > 1) return initials.slice(0, maxKeyLength);
  const letters = fromFirstLetter(words.join(''));
  if (letters === '') return fallbackKey;
  return letters.slice(0, 3).padEnd(2, '1');
}

function fromFirstLetter(text: string): string {
  return text.replace(/^[0-9]+/, '');
}
