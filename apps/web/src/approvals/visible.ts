import { texts } from '../texts/approvals.ts';

/** Control characters but line breaks and tabs, characters without a width, and those that reorder what is around them. */
const hidden =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e007f}]/gu;

/** Returns a text with names in place of the characters that could hide or reorder other ones. */
export function visible(text: string): string {
  return text.replaceAll(hidden, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return texts.arguments.hidden(code);
  });
}
