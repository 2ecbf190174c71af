/** Builds a `like` or `ilike` pattern for values that contain a text, with its wildcards escaped. */
export function containing(text: string): string {
  return `%${escaped(text)}%`;
}

/** Builds a `like` or `ilike` pattern for values that start with a text, with its wildcards escaped. */
export function startingWith(text: string): string {
  return `${escaped(text)}%`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
