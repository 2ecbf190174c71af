import anyAscii from 'any-ascii';

/** Most characters of a key. */
const maxKeyLength = 5;
/** For a name without a letter that can be written in A to Z. */
const fallbackKey = 'PRJ';
const lastDecimalSuffix = 9999;

/**
 * The key that a name suggests: the initials of its words, or how its only word begins.
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

/**
 * The suggested key, or the first variant of it that is free: `WEB`, `WEB2`, … `W9999`.
 *
 * @param taken - at least every key in use that begins with the same letter
 */
export function freeKey(suggested: string, taken: ReadonlySet<string>): string {
  if (!taken.has(suggested)) return suggested;
  for (let suffix = 2; suffix <= lastDecimalSuffix; suffix += 1) {
    const key = withSuffix(suggested, String(suffix));
    if (!taken.has(key)) return key;
  }
  for (let suffix = 0; suffix < 36 ** (maxKeyLength - 1); suffix += 1) {
    const key = withSuffix(suggested, suffix.toString(36).toUpperCase().padStart(4, '0'));
    if (!taken.has(key)) return key;
  }
  throw new Error(`every key that begins with ${suggested.slice(0, 1)} is taken`);
}

function withSuffix(key: string, suffix: string): string {
  return key.slice(0, maxKeyLength - suffix.length) + suffix;
}

function fromFirstLetter(text: string): string {
  return text.replace(/^[0-9]+/, '');
}

/** What differs, in the order of `wanted`. */
export function changesBetween<Fields extends object>(
  current: { readonly [Field in keyof Fields]: unknown },
  wanted: Fields,
): { field: string; from: unknown; to: unknown }[] {
  return (Object.keys(wanted) as (keyof Fields & string)[])
    .filter((field) => wanted[field] !== current[field])
    .map((field) => ({ field, from: current[field], to: wanted[field] }));
}
