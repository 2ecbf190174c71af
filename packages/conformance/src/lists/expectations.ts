import type { FilterRule, SortKey } from '@atelier/contract';
import type { Probe } from '../probe.ts';
import { describeItem, keyOf, type Item } from './items.ts';
import type { ReadPage } from './pages.ts';

/** What a request must return. */
export interface ExpectedItems {
  /** The query, for the report, such as `sort=-title`. */
  readonly what: string;
  readonly items: readonly Item[];
  readonly keys: readonly SortKey[];
  /** The filters of the request, for the report. */
  readonly filters: readonly FilterRule[];
  /** The rule that missing, repeated and other items break. */
  readonly rule: 'list.items' | 'list.filter' | 'list.pages';
}

/** Expects the pages to have exactly these items, in this order. @returns whether they do */
export function expectItems(
  probe: Probe,
  pages: readonly ReadPage[],
  { what, items, keys, filters, rule }: ExpectedItems,
): boolean {
  const last = pages.at(-1);
  if (!last) return true;
  const { response } = last;
  const found = pages.flatMap((page) => page.items);
  const fields = filters.flatMap((filter) => filter.fields);
  const known = new Set(items.map(keyOf));
  const seen = new Set<string>();
  const wrong = found.flatMap((item) => {
    const key = keyOf(item);
    const isRepeated = seen.has(key);
    seen.add(key);
    if (isRepeated) return [`${describeItem(item, fields)} twice`];
    return known.has(key) ? [] : [`${describeItem(item, fields)}, which does not belong there`];
  });
  const missing = items.filter((item) => !seen.has(keyOf(item)));
  const holds = probe.expect({
    rule,
    response,
    holds: wrong.length === 0 && missing.length === 0,
    expected: `${what}: ${itemCount(items.length)}, each once`,
    actual: [
      itemCount(found.length),
      ...wrong.slice(0, 2),
      ...missing.slice(0, 2).map((item) => `without ${describeItem(item, fields)}`),
    ].join('; '),
  });
  if (!holds) return false;
  const index = items.findIndex((item, place) => keyOf(item) !== keyOf(found[place]));
  const sortedBy = keys.map(({ field }) => field);
  return probe.expect({
    rule: 'list.order',
    response,
    holds: index === -1,
    expected: `${what}: as item ${index + 1} of ${items.length} ${describeItem(items[index], sortedBy)}`,
    actual: describeItem(found[index], sortedBy),
  });
}

/** Expects a page of a list that no one changes to count the whole list, and to be where it was asked for. */
export function expectPosition(
  probe: Probe,
  { response, items, pagination }: ReadPage,
  expected: { readonly total: number; readonly limit: number; readonly page?: number },
): boolean {
  const { total, limit, page = 1 } = expected;
  const position: Readonly<Record<string, unknown>> = {
    total,
    limit,
    totalPages: Math.ceil(total / limit),
    ...(expected.page !== undefined && { page, hasNext: page * limit < total }),
  };
  const wrong = Object.keys(position).filter(
    (name) => (pagination as Readonly<Record<string, unknown>>)[name] !== position[name],
  );
  const values = (source: object) =>
    wrong.map((name) => `${name} ${String((source as Record<string, unknown>)[name])}`).join(', ');
  const hasTotal = wrong.some((name) => name.startsWith('total'));
  const isRight = probe.expect({
    rule: hasTotal ? 'list.total' : 'list.limit',
    response,
    holds: wrong.length === 0,
    expected: values(position),
    actual: values(pagination),
  });
  const isWithin = probe.expect({
    rule: 'list.limit',
    response,
    holds: items.length <= limit,
    expected: `at most ${itemCount(limit)}`,
    actual: itemCount(items.length),
  });
  return isRight && isWithin;
}

export function itemCount(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
