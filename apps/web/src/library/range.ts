/** Returns the ids between two, in either direction; only the second if the first is not shown. */
export function between(
  ids: readonly string[],
  from: string | undefined,
  to: string,
): readonly string[] {
  const ends = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (ends.includes(-1)) return [to];
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1);
}
