/** A part of a text; `isMatch`: it is what was searched for. */
export interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Cuts a text at ranges of matches. Ranges that don't fit it are left out. */
export function markedParts(text: string, ranges: readonly (readonly number[])[]): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const [start = 0, end = 0] of ranges) {
    if (start < at || end <= start || end > text.length) continue;
    parts.push({ text: text.slice(at, start), isMatch: false });
    parts.push({ text: text.slice(start, end), isMatch: true });
    at = end;
  }
  parts.push({ text: text.slice(at), isMatch: false });
  return parts.filter((part) => part.text !== '');
}
