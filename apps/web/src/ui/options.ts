/** Returns the keys of a record that was written as a literal, such as the texts for each value of an enum. */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  // A literal has exactly the keys of its type.
  return Object.keys(record) as Key[];
}

/** Returns the option that equals a value, if there is one. */
export function oneOf<const Option extends string>(
  options: readonly Option[],
  value: unknown,
): Option | undefined {
  return options.find((option) => option === value);
}
