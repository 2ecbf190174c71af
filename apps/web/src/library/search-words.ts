/** The value of a search parameter if it is one of these; else none, which stands for the default. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  given: unknown,
): Value | undefined {
  return values.find((value) => value === given);
}

/** Text to search for, as the address has it; a number was read from digits. */
export function searchWords(given: unknown): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  const text = String(given).trim().slice(0, 200);
  return text === '' ? undefined : text;
}
