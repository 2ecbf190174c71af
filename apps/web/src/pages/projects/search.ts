/** The part of the address behind the `?` that this page reads. */
export function validateSearch(_search: Record<string, unknown>): Record<never, never> {
  return {};
}
