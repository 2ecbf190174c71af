import type { Person } from '@atelier/client';

/** A mention that is being typed: the text after the `@` and the index of the `@`. */
export interface MentionDraft {
  readonly query: string;
  readonly start: number;
}

const maxWords = 3;

/** Finds the mention that is being typed before the caret. */
export function mentionDraft(text: string, caret: number): MentionDraft | undefined {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf('@');
  if (start === -1 || /\S/.test(before[start - 1] ?? ' ')) return undefined;
  const query = before.slice(start + 1);
  if (/[\n@]|^\s|\s{2}/.test(query) || query.split(' ').length > maxWords) return undefined;
  return { query, start };
}

/** Returns up to six people whose names match the draft. */
export function mentionChoices(people: readonly Person[], query: string): readonly Person[] {
  const lowered = query.toLowerCase();
  return people
    .filter(({ displayName }) => ` ${displayName.toLowerCase()}`.includes(` ${lowered}`))
    .slice(0, 6);
}

/** Replaces the draft with the full name and returns the new caret position. */
export function withMention(
  text: string,
  {
    draft,
    caret,
    name,
  }: { readonly draft: MentionDraft; readonly caret: number; readonly name: string },
): { readonly text: string; readonly caret: number } {
  const before = `${text.slice(0, draft.start)}@${name} `;
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length };
}

/** Splits a text into pieces and marks those that mention one of the names. */
export function mentionPieces(
  text: string,
  names: readonly string[],
): readonly { readonly text: string; readonly isMention: boolean }[] {
  const wanted = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length);
  if (wanted.length === 0) return [{ text, isMention: false }];
  const pattern = new RegExp(
    `(?<=^|\\s|\\()(@(?:${wanted.map((name) => escaped(name)).join('|')}))(?![\\p{L}\\p{N}])`,
    'u',
  );
  // `split` puts the matches of the capture group at odd indexes.
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, isMention: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** Escapes a text for a regular expression. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
