import type { Operation, OperationId } from '@atelier/contract';
import { readingOf } from '../../../../../../packages/conformance/src/lists/contents.ts';
import { rulesOf } from '../../../../../../packages/conformance/src/lists/fixtures.ts';
import { keyOf, type Item } from '../../../../../../packages/conformance/src/lists/items.ts';
import {
  changingData,
  changingRequest,
  errorInstead,
  recordIn,
  respondingInstead,
  success,
  withBody,
  withQuery,
  type Json,
} from '../fault-builders.ts';
import type { Fault, ProxiedRequest } from '../faulty-proxy.ts';

/** One fault of a list, and the check that names it. */
export interface ListFault {
  readonly bug: string;
  readonly check: string;
  /** One of these rules is reported. */
  readonly rules: readonly string[];
  readonly fault: Fault;
}

/** Every fault that a list of the contract can have: in each order, each filter and each kind of page. */
export function listFaults(operation: Operation): ListFault[] {
  const { id } = operation;
  const { sorts, filters, hasCursor, defaultOrder } = rulesOf(operation);
  return [
    ...Object.entries(sorts).flatMap(([sort, keys]) => [
      ...(keys === defaultOrder ? [] : [ignoredSort(id, sort)]),
      reversed(id, sort),
    ]),
    ...Object.keys(filters).flatMap((name) => [ignoredFilter(id, name), invertedFilter(id, name)]),
    ...wrongPages(id),
    ...unreadable(operation),
    ...(hasCursor ? wrongCursors(id) : []),
  ];
}

function ignoredSort(id: OperationId, sort: string): ListFault {
  return {
    bug: `ignores sort=${sort}`,
    check: `list.sort:${id}:${sort}`,
    rules: ['list.order'],
    fault: without(id, 'sort'),
  };
}

function reversed(id: OperationId, sort: string): ListFault {
  return {
    bug: `reverses sort=${sort}`,
    check: `list.sort:${id}:${sort}`,
    rules: ['list.order'],
    fault: changingItems(id, (items) => items.toReversed()),
  };
}

function ignoredFilter(id: OperationId, name: string): ListFault {
  return {
    bug: `ignores ${name}`,
    check: `list.filter:${id}:${name}`,
    rules: ['list.filter'],
    fault: without(id, name),
  };
}

function invertedFilter(id: OperationId, name: string): ListFault {
  return {
    bug: `inverts ${name}`,
    check: `list.filter:${id}:${name}`,
    rules: ['list.filter'],
    fault: async (request, forward) => {
      if (request.operation !== id || !queryOf(request).has(name)) return forward(request);
      const whole = withQuery(request, (query) => query.set('limit', '100'));
      const matching = new Set(itemsIn(await dataOf(await forward(whole))).map(keyOf));
      const all = await forward(withQuery(whole, (query) => query.delete(name)));
      return withBody(all, (body) => {
        const data = recordIn(body['data']);
        const items = itemsIn(data).filter((item) => !matching.has(keyOf(item)));
        const count = { total: items.length, totalPages: Math.ceil(items.length / 100) };
        return {
          ...body,
          data: { items, pagination: { ...recordIn(data['pagination']), ...count } },
        };
      });
    },
  };
}

function wrongPages(id: OperationId): ListFault[] {
  return [
    {
      bug: 'counts one item too many',
      check: `list.items:${id}`,
      rules: ['list.total'],
      fault: changingPagination(id, ({ total, limit, ...rest }) => ({
        ...rest,
        limit,
        total: Number(total) + 1,
        totalPages: Math.ceil((Number(total) + 1) / Number(limit)),
      })),
    },
    {
      bug: 'starts with the second item',
      check: `list.items:${id}`,
      rules: ['list.items'],
      fault: changingItems(id, (items) => items.slice(1)),
    },
    {
      bug: 'repeats the last item of a page on the next one',
      check: `list.limit:${id}`,
      rules: ['list.pages'],
      fault: async (request, forward) => {
        const page = Number(queryOf(request).get('page') ?? '1');
        if (request.operation !== id || page < 2) return forward(request);
        const before = withQuery(request, (query) => query.set('page', String(page - 1)));
        const last = itemsIn(await dataOf(await forward(before))).slice(-1);
        return changingItems(id, (items) => [...last, ...items.slice(0, -1)])(request, forward);
      },
    },
    {
      bug: 'is on the first page whatever page is asked for',
      check: `list.limit:${id}`,
      rules: ['list.limit', 'list.pages'],
      fault: without(id, 'page'),
    },
  ];
}

function unreadable(operation: Operation): ListFault[] {
  const reading = readingOf(operation);
  if (!reading) return [];
  const codes = ['not_found', 'share_not_found'] as const;
  const code = codes.find((one) => reading.endpoint.metadata.errors.includes(one)) ?? 'not_found';
  return [
    {
      bug: `has items that ${reading.id} does not find`,
      check: `list.items:${operation.id}`,
      rules: ['check.completes'],
      fault: respondingInstead(reading.id, () => errorInstead(success({}), code)),
    },
  ];
}

function wrongCursors(id: OperationId): ListFault[] {
  const first = new Map<string, unknown>();
  return [
    {
      bug: 'repeats a cursor',
      check: `list.cursor:${id}`,
      rules: ['list.cursor'],
      fault: changingPagination(id, (pagination) => {
        const cursor = first.get(id) ?? pagination['nextCursor'];
        first.set(id, cursor);
        return { ...pagination, hasNext: true, nextCursor: cursor };
      }),
    },
    {
      bug: 'begins again at each cursor',
      check: `list.cursor:${id}`,
      rules: ['list.pages'],
      fault: without(id, 'cursor'),
    },
    {
      bug: 'skips an item at each cursor',
      check: `list.cursor:${id}`,
      rules: ['list.pages'],
      fault: async (request, forward) =>
        queryOf(request).has('cursor')
          ? changingItems(id, (items) => items.slice(1))(request, forward)
          : forward(request),
    },
  ];
}

/** Ignores a field of the query. */
function without(id: OperationId, name: string): Fault {
  return changingRequest(id, (request) => withQuery(request, (query) => query.delete(name)));
}

function changingItems(id: OperationId, change: (items: readonly Item[]) => Item[]): Fault {
  return changingData(id, (data) => ({ ...data, items: change(itemsIn(data)) }));
}

function changingPagination(id: OperationId, change: (pagination: Json) => Json): Fault {
  return changingData(id, (data) => ({
    ...data,
    pagination: change(recordIn(data['pagination'])),
  }));
}

async function dataOf(response: Response): Promise<Json> {
  return recordIn(recordIn(await response.json())['data']);
}

function itemsIn({ items }: Json): Item[] {
  return Array.isArray(items) ? items.map(recordIn) : [];
}

function queryOf({ path, origin }: ProxiedRequest): URLSearchParams {
  return new URL(path, origin).searchParams;
}
