/** A pattern of `like` and `ilike` for what holds a text anywhere, its wildcards taken literally. */
export function containing(text: string): string {
  return `%${escaped(text)}%`;
}

/** A pattern of `like` and `ilike` for what starts with a text, its wildcards taken literally. */
export function startingWith(text: string): string {
  return `${escaped(text)}%`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
