/** Maximum number of characters that a mail quotes from a name or title. */
const maxQuotedCharacters = 120;

/** Control characters, line breaks, and bidirectional control characters. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Zero-width characters, except the three that names and emoji use. */
const invisible = /(?!\u200c|\u200d|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** All characters that act as a dot in host names, or look like one. */
const dots = '.\u2024\u3002\uff0e\uff61\ufe52\u2488-\u249b';
const colons = ':\uff1a\ufe55\ua789';
const slashes = '/\\\\\u2044\u2215\uff0f\uff3c\u29f8';
const ats = '@\uff20\ufe6b';

/** Characters that may follow a dot at the end of a word. */
const closing = '\\s.,;:!?)\\]}\u2019\u201d\u00bb\u2026\'"';

/** A decimal number such as a version; four numbers are an IP address. */
const decimal = /(?<![\p{L}\p{N}\p{M}.\-_/@])\d+\.\d+(?![\p{L}\p{N}\p{M}\-_/:@]|\.\S)/gu;

const afterDots = new RegExp(`(?<=[${dots}])(?=[^${closing}])`, 'gu');
const afterColons = new RegExp(`(?<=[^\\d\\s][${colons}])(?=\\S)`, 'gu');
const afterSlashes = new RegExp(`(?<=[${slashes}])(?=[${slashes}])`, 'gu');
const afterAts = new RegExp(`(?<=[${ats}])(?=\\S)`, 'gu');

/**
 * Makes another user's text safe for the subject and the sentences of a mail: one line, no bidirectional
 * controls, and nothing that a mail program turns into a link. Mail programs also link `evil.com` without
 * a scheme, so a space follows each character that joins the parts of an address: a space is unambiguous,
 * and no invisible character is.
 */
export function quoted(text: string): string {
  const line = text.replaceAll(unprintable, ' ').replaceAll(invisible, '').trim();
  const characters = Array.from(withoutLinks(line));
  if (characters.length <= maxQuotedCharacters) return characters.join('');
  return `${characters.slice(0, maxQuotedCharacters - 1).join('')}…`;
}

function withoutLinks(line: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: number, index } of line.matchAll(decimal)) {
    parts.push(brokenUp(line.slice(end, index)), number);
    end = index + number.length;
  }
  return [...parts, brokenUp(line.slice(end))].join('');
}

function brokenUp(text: string): string {
  return [afterDots, afterColons, afterSlashes, afterAts].reduce(
    (broken, place) => broken.replaceAll(place, ' '),
    text,
  );
}
