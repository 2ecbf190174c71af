/** Reads the search text from a search parameter; the router parses digits as a number. */
export function searchText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim().slice(0, 200);
  return text === '' ? undefined : text;
}
