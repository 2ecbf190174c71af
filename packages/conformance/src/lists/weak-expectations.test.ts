import { operationById, Task, type Pagination, type SortKey } from '@atelier/contract';
import { beforeEach, expect, test } from 'vitest';
import { Coverage } from '../coverage.ts';
import { requestTo } from '../deployment.ts';
import { Probe } from '../probe.ts';
import { rulesOf } from './fixtures.ts';
import type { ReadPage } from './pages.ts';
import {
  expectAnyPages,
  expectCursors,
  expectEachOnce,
  expectMatches,
  expectOrderWithin,
} from './weak-expectations.ts';

const operation = operationById('tasks.list');
let probe: Probe;
beforeEach(() => {
  const deployment = { baseUrl: 'http://127.0.0.1:9', mailApiUrl: null };
  probe = new Probe({ deployment, coverage: new Coverage(), allowMissing: false });
});

function pageOf(items: ReadPage['items'], changes: Partial<Pagination> = {}): ReadPage {
  const pagination = { page: 1, limit: 2, total: items.length, totalPages: 1, hasNext: false };
  return {
    response: {
      request: requestTo('tasks.list'),
      status: 200,
      headers: new Headers(),
      text: '',
      json: {},
    },
    items,
    pagination: { ...pagination, ...changes },
  };
}

const found = () =>
  probe.findings.map(({ rule, expected, actual }) => `${rule}: ${expected} / ${actual}`);

const first = { id: 'a', priority: 'LOW', title: 'b' };
const second = { id: 'b', priority: 'URGENT', title: 'A' };

function expectSorted(field: string, items: ReadPage['items']): void {
  const keys: SortKey[] = [{ field, direction: 'ascending', asIn: null }];
  const list = {
    operation,
    rules: rulesOf(operation),
    itemSchema: Task,
    idsOf: new Map(),
    request: {},
    callerId: '',
    items,
    contents: null,
    isWhole: false,
  };
  expectOrderWithin(probe, pageOf(items), { list, keys, what: `sort=${field}` });
}

test('a page out of order is found, but not by text, which a collation sorts', () => {
  expectSorted('priority', [first, second]);
  expectSorted('title', [first, second]);
  expect(found()).toEqual([]);
  expectSorted('priority', [second, first]);
  expect(found()).toEqual([
    'list.order: sort=priority: a (priority "LOW") before b (priority "URGENT") / the other way round',
  ]);
});

test('an item that does not match is found', () => {
  const filters = [{ comparison: 'equal', fields: ['priority'] }] as const;
  const expected = {
    what: 'priority=LOW',
    items: [first],
    keys: [],
    filters,
    rule: 'list.filter',
  } as const;
  expectMatches(probe, pageOf([first, second]), expected);
  expect(found()).toEqual([
    'list.filter: priority=LOW: only items that match / b (priority "URGENT")',
  ]);
});

test('pages that are too long, count wrongly or repeat items or cursors are found', () => {
  expectAnyPages(probe, [pageOf([first, second, first])], 2);
  expectEachOnce(probe, [pageOf([first]), pageOf([first])]);
  const repeating = pageOf([first], { hasNext: true, nextCursor: 'x' });
  expectCursors(probe, [repeating, repeating, pageOf([], { hasNext: true })]);
  expect(found()).toEqual([
    'list.limit: at most 2 items, and limit 2 / 3 items, and limit 2',
    'list.total: totalPages 2 of a total of 3 / totalPages 1',
    'list.pages: every item once / a twice',
    'list.cursor: the cursor of the next page / that of an earlier page',
    'list.cursor: a nextCursor, because hasNext is true / none',
  ]);
});
