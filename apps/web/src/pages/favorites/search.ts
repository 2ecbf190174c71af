/** Reads the search parameters of this page: none. */
export function validateSearch(_search: Record<string, unknown>): Record<never, never> {
  return {};
}
