/** Maximum length of a key. */
export const maxKeyLength = 5;
const lastDecimalSuffix = 9999;

/**
 * Returns the suggested key, or its first free variant: `WEB`, `WEB2`, … `W9999`.
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
