import type { SearchedText } from '../db/patterns.ts';

/** Folded texts are at most this many characters long: some letters become several. */
const maxFoldedLength = 60_000;

const isAscii = /^\p{ASCII}*$/u;

/** Of one letter. */
const maxMarks = 30;
/**
 * More marks on one letter than any language has, which Unicode's Stream-Safe Text Format allows. Normalization orders
 * them, which takes a time that grows with the square of their number. The last two are letters that become marks.
 */
const excessMarks = new RegExp(
  String.raw`([\p{M}\uff9e\uff9f]{${maxMarks}})[\p{M}\uff9e\uff9f]+`,
  'gu',
);

/**
 * Folds a text so that spellings that people take for the same are equal: case, accents, width and script. Names are stored
 * folded, and compared with folded queries.
 *
 * @returns ASCII, in lower case
 */
export async function fold(text: string): Promise<string> {
  const [folded = ''] = await foldAll([text]);
  return folded;
}

/** Folds texts like {@link fold}. */
export async function foldAll(texts: readonly string[]): Promise<string[]> {
  if (texts.every((text) => isAscii.test(text))) return texts.map((text) => text.toLowerCase());
  const toAscii = await letters();
  return texts.map((text) => foldWith(toAscii, text));
}

/** Prepares a text that names are searched for. Of signs that fold to nothing, the typed ones count. */
export async function searchedText(typed: string): Promise<SearchedText> {
  return { typed, folded: (await fold(typed)) || typed };
}

/** Folds synchronously, for loops over many texts. */
export type Fold = (text: string) => string;

/** Loads the tables of letters: half a megabyte, which most processes need soon, but not at their start. */
export async function loadFold(): Promise<Fold> {
  const toAscii = await letters();
  return (text) => foldWith(toAscii, text);
}

function foldWith(toAscii: Fold, text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  const safe = text.length > maxMarks ? text.replaceAll(excessMarks, '$1') : text;
  const letters = safe.normalize('NFKC').slice(0, maxFoldedLength);
  return toAscii(letters).toLowerCase().slice(0, maxFoldedLength);
}

async function letters(): Promise<Fold> {
  const { default: anyAscii } = await import('any-ascii');
  return anyAscii;
}
