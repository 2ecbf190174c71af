import type { FilterRule } from '@atelier/contract';
import type { z } from 'zod';
import type { Randomness } from '../randomness.ts';
import { matches } from './oracle.ts';
import { optionsAt, valuesAt, type Item } from './items.ts';

/** Maximum number of values tried that items have. */
const maxValues = 3;

/** A filter of a list, and what its values are derived from. */
export interface Filtering {
  readonly rule: FilterRule;
  /** The schema of the value in the query. */
  readonly schema: z.ZodType;
  readonly items: readonly Item[];
  readonly callerId: string;
}

/**
 * Derives the values to try: those that some items have, and those that none has, at each side of a bound.
 *
 * @returns only values that the schema accepts
 */
export function valuesToTry({ rule, schema, items }: Filtering, random: Randomness): string[] {
  const own = items
    .flatMap((item) => rule.fields.flatMap((field) => valuesAt(item, field)))
    .filter((value) => value !== null && value !== undefined)
    .map((value) => String(value as string | number | boolean));
  const distinct = [...new Set(own)].toSorted();
  const candidates = {
    equal: () => [...spread(distinct), 'me', ...absent(distinct, schema, random)],
    oneOf: () => severalOf(distinct),
    allOf: () => togetherOf(distinct),
    contains: () => fragmentsOf(distinct),
    startsWith: () => prefixesOf(distinct),
    before: () => boundsOf(distinct),
    notBefore: () => boundsOf(distinct),
    scope: () => ['personal', 'organization'],
  }[rule.comparison]();
  return [...new Set(candidates)].filter((value) => schema.safeParse(value).success);
}

/** Whether a service that ignores the filter, or inverts it, would respond otherwise to one of the values. */
export function areTelling({ rule, items, callerId }: Filtering, values: readonly string[]) {
  const counts = values.map(
    (value) => items.filter((item) => matches(rule, item, { value, callerId })).length,
  );
  return counts.some((count) => count > 0) && counts.some((count) => count < items.length);
}

/** Picks values from the whole range. */
function spread(values: readonly string[]): string[] {
  const count = Math.min(maxValues, values.length);
  return Array.from({ length: count }, (_, index) =>
    String(values[Math.floor((index * values.length) / count)]),
  );
}

/** A value of the schema that no item has. */
function absent(values: readonly string[], schema: z.ZodType, random: Randomness): string[] {
  const candidates = [...(optionsAt(schema, '') ?? []), random.id(), 'false', 'true'];
  return candidates
    .filter((value) => !values.includes(value) && schema.safeParse(value).success)
    .slice(0, 1);
}

/** One name, several, a part of one, and a name that no item has. */
function severalOf(values: readonly string[]): string[] {
  const some = spread(values);
  const parts = some.slice(0, 1).map((value) => value.slice(1));
  return [...some.slice(0, 1), some.join('/'), ...parts, 'no such name'];
}

/** One tag in another case, two, a part of one, and a tag that no item has. */
function togetherOf(values: readonly string[]): string[] {
  const some = spread(values);
  const [first = ''] = some;
  return [first.toUpperCase(), some.slice(0, 2).join(','), first.slice(1), 'no such tag'];
}

/** Parts of names in another case, a wildcard of SQL, and a text that no name has. */
function fragmentsOf(values: readonly string[]): string[] {
  const parts = spread(values).map((value) => value.slice(1, 5).trim().toUpperCase());
  return [...parts, '%', '_', 'no such text'].filter((part) => part !== '');
}

function prefixesOf(values: readonly string[]): string[] {
  const parts = spread(values).flatMap((value) => [value, value.replace(/\/.*/, '/')]);
  return [...parts, ...values.slice(0, 1).map((value) => value.slice(1)), '%', 'no-such/prefix'];
}

/** The timestamp of an item in the middle and the millisecond after it, then the earliest one. */
function boundsOf(values: readonly string[]): string[] {
  const [first] = values;
  const middle = values[Math.floor(values.length / 2)];
  if (first === undefined || middle === undefined) return [];
  return [middle, new Date(Date.parse(middle) + 1).toISOString(), first];
}
