/** Returns the values that differ from those that a form began with. */
export function changedFields<Values extends object>(
  values: Values,
  before: Values,
): Partial<Values> {
  const names = Object.keys(values) as (keyof Values)[];
  const changed = names.filter((name) => !isSameIn([name], values, before));
  return Object.fromEntries(changed.map((name) => [name, values[name]])) as Partial<Values>;
}

/** Tells whether these fields have the same in both states. */
export function isSameIn<State extends object>(
  names: readonly (keyof State)[],
  one: State,
  other: State,
): boolean {
  // Some fields are lists.
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
