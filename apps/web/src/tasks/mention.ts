import type { Person } from '@atelier/client';

/** A mention that is being written: what stands after the `@`, and where the `@` stands. */
export interface MentionDraft {
  readonly query: string;
  readonly start: number;
}

const mostWords = 3;

/** The mention in front of the caret, if one is being written there. */
export function mentionDraft(text: string, caret: number): MentionDraft | undefined {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf('@');
  if (start === -1 || /\S/.test(before[start - 1] ?? ' ')) return undefined;
  const query = before.slice(start + 1);
  if (/[\n@]|^\s|\s{2}/.test(query) || query.split(' ').length > mostWords) return undefined;
  return { query, start };
}

/** The people whose names fit what has been written of one, at most six. */
export function mentionChoices(people: readonly Person[], query: string): readonly Person[] {
  const lowered = query.toLowerCase();
  return people
    .filter(({ displayName }) => ` ${displayName.toLowerCase()}`.includes(` ${lowered}`))
    .slice(0, 6);
}

/** The text with the whole name in the place of what was written of it, and where to write on. */
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

/** The text in pieces; those that mention somebody of the names are marked. */
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
  // Every second piece is what the group of the pattern has found.
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, isMention: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** A text as a pattern that finds just it. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
