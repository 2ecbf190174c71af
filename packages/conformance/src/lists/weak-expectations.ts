import type { SortKey } from '@atelier/contract';
import type { z } from 'zod';
import type { Probe } from '../probe.ts';
import { itemCount, type ExpectedItems } from './expectations.ts';
import type { KnownList } from './fixtures.ts';
import { describeItem, keyOf, optionsAt, valuesAt, type Item } from './items.ts';
import { compare, type Ordering } from './oracle.ts';
import type { ReadPage } from './pages.ts';

// What holds for any list, even while others change it.

/** Expects the items of a page to be in order. Holds for lists that others change, too. */
export function expectOrderWithin(
  probe: Probe,
  { response, items }: ReadPage,
  { list, keys, what }: { list: KnownList; keys: readonly SortKey[]; what: string },
): void {
  // What another list says about the order may have changed.
  if (keys.some(({ asIn }) => asIn !== null)) return;
  const index = items.findIndex((item, place) => {
    const before = items[place - 1];
    return before !== undefined && isBefore(item, before, { ...list, keys });
  });
  const fields = keys.map(({ field }) => field);
  probe.expect({
    rule: 'list.order',
    response,
    holds: index === -1,
    expected: `${what}: ${describeItem(items[index], fields)} before ${describeItem(items[index - 1], fields)}`,
    actual: 'the other way round',
  });
}

/** Whether an item comes first for certain: which collation sorts text is up to the deployment. */
function isBefore(a: Item, b: Item, { keys, ...rest }: Ordering): boolean {
  for (const key of keys) {
    const order = compare(a, b, { ...rest, keys: [key] });
    if (order !== 0) return order < 0 && !isText(a, key, rest.itemSchema);
  }
  return false;
}

const idOrTime = /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\d-]+T[\d:.]+Z)$/;

function isText(item: Item, { field }: SortKey, itemSchema: z.ZodType): boolean {
  const [value] = valuesAt(item, field);
  return typeof value === 'string' && !idOrTime.test(value) && !optionsAt(itemSchema, field);
}

/** Expects every item of a page to match the filters. */
export function expectMatches(probe: Probe, page: ReadPage, expected: ExpectedItems): void {
  const fields = expected.filters.flatMap((filter) => filter.fields);
  const stray = page.items.find((item) => !expected.items.includes(item));
  probe.expect({
    rule: 'list.filter',
    response: page.response,
    holds: stray === undefined,
    expected: `${expected.what}: only items that match`,
    actual: describeItem(stray, fields),
  });
}

/** Expects pages to keep their limit, and to have no more items than they count. */
export function expectAnyPages(probe: Probe, pages: readonly ReadPage[], wanted: number): void {
  for (const { response, items, pagination } of pages) {
    const { limit, total, totalPages } = pagination;
    probe.expect({
      rule: 'list.limit',
      response,
      holds: items.length <= wanted && limit === wanted,
      expected: `at most ${itemCount(wanted)}, and limit ${wanted}`,
      actual: `${itemCount(items.length)}, and limit ${limit}`,
    });
    probe.expect({
      rule: 'list.total',
      response,
      holds: totalPages === Math.ceil(total / limit),
      expected: `totalPages ${Math.ceil(total / limit)} of a total of ${total}`,
      actual: `totalPages ${totalPages}`,
    });
  }
}

/** Expects pages by cursor to repeat no item. */
export function expectEachOnce(probe: Probe, pages: readonly ReadPage[]): void {
  const seen = new Set<string>();
  for (const { response, items } of pages) {
    const repeated = items.find((item) => seen.has(keyOf(item)));
    probe.expect({
      rule: 'list.pages',
      response,
      holds: repeated === undefined,
      expected: 'every item once',
      actual: `${describeItem(repeated, [])} twice`,
    });
    for (const item of items) seen.add(keyOf(item));
  }
}

/** Expects a page to have a cursor exactly if there is a next one, and never the same again. */
export function expectCursors(probe: Probe, pages: readonly ReadPage[]): void {
  const seen = new Set<string>();
  for (const { response, pagination } of pages) {
    const { hasNext, nextCursor } = pagination;
    probe.expect({
      rule: 'list.cursor',
      response,
      holds: hasNext === (nextCursor !== undefined),
      expected: hasNext
        ? 'a nextCursor, because hasNext is true'
        : 'no nextCursor, because hasNext is false',
      actual: nextCursor === undefined ? 'none' : 'one',
    });
    if (nextCursor === undefined) continue;
    probe.expect({
      rule: 'list.cursor',
      response,
      holds: !seen.has(nextCursor),
      expected: 'the cursor of the next page',
      actual: 'that of an earlier page',
    });
    seen.add(nextCursor);
  }
}
