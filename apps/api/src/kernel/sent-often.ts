/** The texts of responses that are sent more than once; null before the first time. */
const texts = new WeakMap<object, string | null>();

/** Marks the data of a response that never changes and may be sent more than once: it is serialized once. */
export function sentOften<Data extends object>(data: Data): Data {
  texts.set(data, null);
  return data;
}

/**
 * Serializes the data of a response, or returns the text of the first time.
 *
 * @param serialize - always the same for this data
 */
export function serializedOnce(data: unknown, serialize: () => string): string {
  if (typeof data !== 'object' || data === null) return serialize();
  const text = texts.get(data);
  if (typeof text === 'string') return text;
  const first = serialize();
  if (text === null) texts.set(data, first);
  return first;
}
