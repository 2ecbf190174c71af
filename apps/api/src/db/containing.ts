/** The `like` pattern of whatever contains this text, which has no wildcards of its own. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
