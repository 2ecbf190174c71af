import { tagKeyOf, tagKeysIn, type FilterRule, type SortKey } from '@atelier/contract';
import type { z } from 'zod';
import { optionsAt, valuesAt, type Item } from './items.ts';

/** Whether a filter with a value matches an item. @param callerId - whom `me` and `personal` mean */
export function matches(
  { comparison, fields }: FilterRule,
  item: Item,
  { value, callerId }: { readonly value: string; readonly callerId: string },
): boolean {
  const values = fields
    .flatMap((field) => valuesAt(item, field))
    .filter((one) => one !== null && one !== undefined)
    .map((one) => String(one as string | number | boolean));
  switch (comparison) {
    case 'equal':
      return values.includes(value === 'me' ? callerId : value);
    case 'oneOf':
      return values.some((one) => value.split('/').includes(one));
    case 'allOf':
      return tagKeysIn(value).every((key) => values.map(tagKeyOf).includes(key));
    case 'contains':
      return values.some((one) => one.toLowerCase().includes(value.toLowerCase()));
    case 'startsWith':
      return values.some((one) => one.startsWith(value));
    case 'before':
      return values.some((one) => Date.parse(one) < Date.parse(value));
    case 'notBefore':
      return values.some((one) => Date.parse(one) >= Date.parse(value));
    case 'scope':
      return value === 'organization' || values.includes(callerId);
  }
}

/** What the values of a list are compared by. */
export interface Ordering {
  readonly keys: readonly SortKey[];
  readonly itemSchema: z.ZodType;
  /** The ids of other lists in their default order, by operation. */
  readonly idsOf: ReadonlyMap<string, readonly string[]>;
}

/** Sorts items as a list must. */
export function sorted(items: readonly Item[], ordering: Ordering): Item[] {
  return items.toSorted((a, b) => compare(a, b, ordering));
}

/**
 * Compares two items by the keys of an order.
 *
 * @returns negative if the first one comes first, 0 if the keys don't tell
 */
export function compare(a: Item, b: Item, ordering: Ordering): number {
  for (const key of ordering.keys) {
    const [left, right] = [a, b].map((item) => sortValueOf(item, key, ordering));
    if (left === right) continue;
    // Null comes last in both directions.
    if (left === null || left === undefined) return 1;
    if (right === null || right === undefined) return -1;
    return left < right === (key.direction === 'ascending') ? -1 : 1;
  }
  return 0;
}

function sortValueOf(
  item: Item,
  { field, asIn }: SortKey,
  { itemSchema, idsOf }: Ordering,
): number | string | null {
  const [value = null] = valuesAt(item, field);
  if (value === null || typeof value === 'number') return value;
  // Every other sort value is text, or has a text that compares like it.
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (asIn !== null) return idsOf.get(asIn)?.indexOf(text) ?? -1;
  const options = optionsAt(itemSchema, field);
  return options ? options.indexOf(text) : text.toLowerCase();
}
