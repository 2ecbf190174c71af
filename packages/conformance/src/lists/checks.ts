import type { Operation, SortKey } from '@atelier/contract';
import { operationCheck, type Check, type CheckContext } from '../check.ts';
import { NotRun } from '../findings.ts';
import type { Probe } from '../probe.ts';
import { expectItems, expectPosition, type ExpectedItems } from './expectations.ts';
import { lists, queryFieldOf, rulesOf, type KnownList } from './fixtures.ts';
import type { Item } from './items.ts';
import { expectContents, expectSameAsRead } from './contents.ts';
import {
  expectAnyPages,
  expectCursors,
  expectEachOnce,
  expectMatches,
  expectOrderWithin,
} from './weak-expectations.ts';
import { matches, sorted } from './oracle.ts';
import { readByCursor, readByNumber, readPage, withQuery } from './pages.ts';
import { areTelling, valuesToTry } from './values.ts';

const maxLimit = 100;

/** Each order and each filter of every list returns what it must, on one page and across pages. */
export const listChecks: readonly Check[] = lists.flatMap((operation) => [
  listCheck(operation, 'list.items', {
    title: 'has every item once, in its default order, and counts them',
    run: (context, list) => checkItems(context, list),
  }),
  listCheck(operation, 'list.limit', {
    title: 'has the same items across pages by number',
    run: ({ probe }, list) => checkAllNumbers(probe, list),
  }),
  ...(rulesOf(operation).hasCursor
    ? [
        listCheck(operation, 'list.cursor', {
          title: 'has the same items across pages by cursor',
          run: ({ probe }, list) => checkCursors(probe, list, defaultQuery(list)),
        }),
      ]
    : []),
  ...Object.entries(rulesOf(operation).sorts).map(([sort, keys]) =>
    listCheck(operation, 'list.sort', {
      name: sort,
      title: `sorts by ${sort}, also across pages`,
      run: (context, list) => checkSort(context, list, { sort, keys }),
    }),
  ),
  ...Object.keys(rulesOf(operation).filters).map((name) =>
    listCheck(operation, 'list.filter', {
      name,
      title: `has exactly the items that match ${name}`,
      run: (context, list) => checkFilter(context, list, name),
    }),
  ),
  ...(Object.keys(rulesOf(operation).filters).length > 0
    ? [
        listCheck(operation, 'list.filters', {
          title: 'has exactly the items that match all filters together, also across pages',
          run: checkFilters,
        }),
      ]
    : []),
]);

interface ListCheck {
  /** The filter or the order. */
  readonly name?: string;
  readonly title: string;
  readonly run: (context: CheckContext, list: KnownList) => Promise<void>;
}

function listCheck(operation: Operation, rule: string, { name, title, run }: ListCheck): Check {
  const check = operationCheck(rule, operation.id, {
    title: `${operation.id} ${title}`,
    run: async (context) => run(context, await context.fixtures.lists(operation, context.probe)),
  });
  return name === undefined ? check : { ...check, id: `${check.id}:${name}` };
}

/** A query, and the items that it must return. */
interface Expected {
  readonly query: Readonly<Record<string, string | null>>;
  readonly keys: readonly SortKey[];
  readonly items: readonly Item[];
  readonly filters: readonly string[];
  /** How many pages to read it in; default 3. */
  readonly pages?: number;
}

function defaultQuery({ rules, items }: KnownList): Expected {
  return { query: {}, keys: rules.defaultOrder, items, filters: [] };
}

function inReport(
  list: KnownList,
  { query, keys, items, filters }: Expected,
  rule: ExpectedItems['rule'],
): ExpectedItems {
  const fields = Object.entries(query).map(
    ([name, value]) => `${name}${value === null ? ' omitted' : `=${value}`}`,
  );
  return {
    what: fields.join('&') || 'the whole list',
    items,
    keys,
    filters: filters.flatMap((name) => list.rules.filters[name] ?? []),
    rule,
  };
}

async function checkItems(context: CheckContext, list: KnownList): Promise<void> {
  const { probe } = context;
  const { operation, request, contents, isWhole, items } = list;
  const page = await readPage(probe, operation, withQuery(request, { limit: String(maxLimit) }));
  const whole = inReport(list, defaultQuery(list), 'list.items');
  if (!isWhole) return expectOrderWithin(probe, page, { list, ...whole });
  expectPosition(probe, page, { total: items.length, limit: maxLimit, page: 1 });
  expectItems(probe, [page], { ...whole, items: items.slice(0, maxLimit) });
  expectContents(probe, page, contents);
  await expectSameAsRead(context, list, page);
}

async function checkNumbers(probe: Probe, list: KnownList, expected: Expected): Promise<void> {
  const { operation, isWhole } = list;
  const { request, limit } = inPages(list, expected);
  const pages = await readByNumber(probe, operation, { request, limit });
  if (!isWhole) return expectAnyPages(probe, pages, limit);
  const total = expected.items.length;
  for (const [index, page] of pages.entries()) {
    expectPosition(probe, page, { total, limit, page: index + 1 });
  }
  expectItems(probe, pages, inReport(list, expected, 'list.pages'));
}

/** Reads the list, and the page after its last one. */
async function checkAllNumbers(probe: Probe, list: KnownList): Promise<void> {
  const expected = defaultQuery(list);
  await checkNumbers(probe, list, expected);
  if (!list.isWhole) return;
  const { request, limit } = inPages(list, expected);
  const total = expected.items.length;
  const number = Math.max(1, Math.ceil(total / limit)) + 1;
  const beyond = { limit: String(limit), page: String(number) };
  const page = await readPage(probe, list.operation, withQuery(request, beyond));
  expectPosition(probe, page, { total, limit, page: number });
  expectItems(probe, [page], {
    ...inReport(list, expected, 'list.pages'),
    what: 'the page after the last',
    items: [],
  });
}

async function checkCursors(probe: Probe, list: KnownList, expected: Expected): Promise<void> {
  const { operation, isWhole } = list;
  const { request, limit } = inPages(list, expected);
  const pages = await readByCursor(probe, operation, { request, limit });
  expectCursors(probe, pages);
  if (!isWhole) return expectEachOnce(probe, pages);
  for (const page of pages) expectPosition(probe, page, { total: expected.items.length, limit });
  expectItems(probe, pages, inReport(list, expected, 'list.pages'));
}

/** Reads the pages of another query by cursor, and the second one by number too. */
async function checkPages(probe: Probe, list: KnownList, whole: Expected): Promise<void> {
  const expected = { ...whole, pages: 2 };
  if (!list.rules.hasCursor) return checkNumbers(probe, list, expected);
  await checkCursors(probe, list, expected);
  const { request, limit } = inPages(list, expected);
  const query = { limit: String(limit), page: '2' };
  const page = await readPage(probe, list.operation, withQuery(request, query));
  const { items } = expected;
  expectPosition(probe, page, { total: items.length, limit, page: 2 });
  const second = {
    ...expected,
    items: items.slice(limit, 2 * limit),
    query: { ...expected.query, page: '2' },
  };
  expectItems(probe, [page], inReport(list, second, 'list.pages'));
}

/** Splits a list into pages, the last one shorter where that is possible. */
function inPages(list: KnownList, { query, items, pages = 3 }: Expected) {
  return {
    request: withQuery(list.request, query),
    limit: list.isWhole ? Math.floor(items.length / pages) + 1 : 2,
  };
}

async function checkSort(
  { probe }: CheckContext,
  list: KnownList,
  { sort, keys }: { sort: string; keys: readonly SortKey[] },
): Promise<void> {
  const { operation, request, items, isWhole, rules } = list;
  const expected = { query: { sort }, keys, items: sorted(items, { ...list, keys }), filters: [] };
  if (!isWhole) {
    const query = { limit: String(maxLimit), sort };
    const page = await readPage(probe, operation, withQuery(request, query));
    return expectOrderWithin(probe, page, { list, keys, what: `sort=${sort}` });
  }
  expectTelling(
    list,
    `sort=${sort}`,
    isUnlike(items, expected.items, rules.sorts[sort] === rules.defaultOrder),
  );
  await checkPages(probe, list, expected);
}

/** Whether a service that ignores the order, or reverses it, would respond otherwise. */
function isUnlike(
  byDefault: readonly Item[],
  inOrder: readonly Item[],
  isDefault: boolean,
): boolean {
  const isSame = byDefault.every((item, index) => item === inOrder[index]);
  return isDefault ? inOrder.length > 1 : !isSame;
}

async function checkFilter(context: CheckContext, list: KnownList, name: string): Promise<void> {
  const { probe } = context;
  const { operation, request, isWhole, callerId } = list;
  const filtering = filteringOf(list, name);
  const values = valuesToTry(filtering, context.random);
  if (isWhole) expectTelling(list, name, areTelling(filtering, values));
  const omitted: unknown = filtering.schema.safeParse(undefined).data;
  // `list.items` reads a list without its filters, but for those that have a default.
  for (const value of typeof omitted === 'string' ? [...values, null] : values) {
    const isMatch = (item: Item) =>
      matches(filtering.rule, item, { value: value ?? String(omitted), callerId });
    const expected = expectedOf(list, { query: { [name]: value }, isMatch });
    const query = { [name]: value, limit: String(maxLimit) };
    const page = await readPage(probe, operation, withQuery(request, query));
    const reported = inReport(list, expected, 'list.filter');
    if (!isWhole) {
      expectMatches(probe, page, { ...reported, items: page.items.filter(isMatch) });
      continue;
    }
    expectPosition(probe, page, { total: expected.items.length, limit: maxLimit, page: 1 });
    const first = { ...reported, items: reported.items.slice(0, maxLimit) };
    if (!expectItems(probe, [page], first)) return;
  }
}

function expectedOf(
  { rules, items }: KnownList,
  { query, isMatch }: { query: Expected['query']; isMatch: (item: Item) => boolean },
): Expected {
  const filters = Object.keys(query);
  return { query, keys: rules.defaultOrder, items: items.filter(isMatch), filters };
}

function filteringOf(list: KnownList, name: string) {
  const rule = list.rules.filters[name];
  if (!rule) throw new Error(`${list.operation.id} has no filter ${name}`);
  const { items, callerId } = list;
  return { rule, schema: queryFieldOf(list.operation, name), items, callerId };
}

/** All filters with values that one item has; then the one that matches most items, across pages. */
async function checkFilters(context: CheckContext, list: KnownList): Promise<void> {
  const { probe } = context;
  const { operation, request, items, isWhole, rules, callerId } = list;
  if (!isWhole) throw new NotRun('needs the fixtures of the full profile');
  const last = items.at(-1) ?? {};
  const alone = Object.entries(rules.filters).flatMap(([name, rule]) => {
    const values = valuesToTry(filteringOf(list, name), context.random);
    const value = values.find((one) => matches(rule, last, { value: one, callerId }));
    if (value === undefined) return [];
    const isMatch = (item: Item) => matches(rule, item, { value, callerId });
    return [{ isMatch, ...expectedOf(list, { query: { [name]: value }, isMatch }) }];
  });
  const together = expectedOf(list, {
    query: Object.assign({}, ...alone.map(({ query }) => query)) as Expected['query'],
    isMatch: (item) => alone.every(({ isMatch }) => isMatch(item)),
  });
  const query = { ...together.query, limit: String(maxLimit) };
  const page = await readPage(probe, operation, withQuery(request, query));
  expectPosition(probe, page, { total: together.items.length, limit: maxLimit, page: 1 });
  expectItems(probe, [page], inReport(list, together, 'list.filter'));
  const [widest] = alone
    .filter((expected) => expected.items.length < items.length)
    .toSorted((a, b) => b.items.length - a.items.length);
  if (widest) await checkPages(probe, list, widest);
}

/** @throws Error when the fixtures don't tell a service that obeys from one that doesn't */
function expectTelling({ operation }: KnownList, what: string, isTelling: boolean): void {
  if (isTelling) return;
  throw new Error(
    `no item of ${operation.id} shows whether ${what} works: create one in packages/conformance/src/lists/${fileOf(operation)}`,
  );
}

/** The file that creates the items of a list. */
function fileOf({ id }: Operation): string {
  if (/^(assets|collections)\./.test(id)) return 'library.ts';
  return /^(organizations|sessions)\./.test(id) ? 'team.ts' : 'work.ts';
}
