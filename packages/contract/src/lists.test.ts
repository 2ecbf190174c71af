import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { memberAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { Id, operations, pageOf, Timestamp, type Operation } from './index.ts';
import { filter } from './lists.ts';
import { cursorList, pageQuery, sortQuery } from './pagination.ts';

const lists = operations.filter(({ endpoint }) => endpoint.metadata.list !== null);

/** Parameters of the query of an operation that is not a list. */
const otherQueries = [
  'assetComments.markers',
  'assets.download',
  'assets.emptyBin',
  // Suggestions, of which it has at most 20.
  'assets.tags',
  'auth.githubCallback',
  'auth.googleCallback',
  'auth.startGithub',
  'auth.startGoogle',
  'auth.verifyToken',
  'notifications.unsubscribe',
  'organizations.remove',
  // Ranked: a score that no hit has decides.
  'search.find',
  'search.suggest',
  // The conformance kit compares it with `timeline.list`.
  'timeline.summary',
];

test('an operation with a query is a list, or is named here', () => {
  const others = operations.filter(
    ({ endpoint }) => endpoint.query !== undefined && endpoint.metadata.list === null,
  );
  expect(others.map(({ id }) => id).toSorted()).toEqual(otherQueries);
});

/** The items of a page of the list. */
function itemOf({ endpoint }: Operation): z.ZodObject {
  const page = endpoint.metadata.success.data as z.ZodObject<{ items: z.ZodArray<z.ZodObject> }>;
  return page.shape.items.element;
}

/** Follows a path through objects, records, lists and null. */
function leadsToField(schema: z.ZodType, path: readonly string[]): boolean {
  if (schema instanceof z.ZodNullable) return leadsToField(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodArray) return leadsToField(schema.element as z.ZodType, path);
  const [name, ...rest] = path;
  // Any name may be one of a record; an item without it doesn't match.
  if (schema instanceof z.ZodRecord && name !== undefined) return rest.length === 0;
  if (name === undefined) return !(schema instanceof z.ZodObject);
  const field = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  return field !== undefined && leadsToField(field, rest);
}

describe.each(lists)('$id', (operation: Operation) => {
  const { list } = operation.endpoint.metadata;
  const paths = [
    ...Object.values(list?.filters ?? {}).flatMap(({ fields }) => fields),
    ...[list?.defaultOrder ?? [], ...Object.values(list?.sorts ?? {})].flatMap((keys) =>
      keys.map(({ field }) => field),
    ),
  ];

  test('compares and sorts fields of its items', () => {
    const group = operation.id.replace(/\..*/, '');
    const unknown = paths.filter(
      (path) => path !== 'id' && !leadsToField(itemOf(operation), path.split('.')),
    );
    expect(
      unknown,
      `correct "list" of ${operation.id} in packages/contract/src/${group}.ts`,
    ).toEqual([]);
  });
});

test('orders follow from the values of sort', () => {
  const { list } = operations.find(({ id }) => id === 'tasks.list')?.endpoint.metadata ?? {};
  const ascending = (field: string) => ({ field, direction: 'ascending', asIn: null });
  const descending = (field: string) => ({ field, direction: 'descending', asIn: null });
  expect(list?.defaultOrder).toEqual([descending('createdAt'), descending('id')]);
  expect(list?.sorts['dueDate']).toEqual([ascending('dueDate'), ascending('id')]);
  expect(list?.sorts['-title']).toEqual([descending('title'), descending('id')]);
  expect(list?.sorts['position']).toEqual([
    { ...ascending('projectId'), asIn: 'projects.list' },
    ascending('status'),
    ascending('position'),
    ascending('id'),
  ]);
  expect(list?.filters['priority']).toEqual({ comparison: 'equal', fields: ['priority'] });
});

describe('to the compiler', () => {
  const Thing = z.object({ id: Id, name: z.string(), createdAt: Timestamp });
  const common = {
    method: 'GET',
    path: '/api/things',
    summary: 'List things',
    access: memberAccess('asset:read'),
    success: ok('Things retrieved', pageOf(Thing, 'ThingPageOfTest')),
  } as const;

  test('filters and orders by fields of the items need no rule', () => {
    const { metadata } = endpoint({
      ...common,
      query: cursorList.safeExtend({ name: z.string(), sort: sortQuery(['name', '-createdAt']) }),
    });
    expect(Object.keys(metadata.list?.sorts ?? {})).toEqual(['name', '-createdAt']);
    expect(metadata.list?.hasCursor).toBe(true);
    endpoint({ ...common, query: z.object(pageQuery), list: { order: ['-createdAt'] } });
  });

  test('a ranked one needs none, and has none', () => {
    const query = z.object({ ...pageQuery, since: z.string() });
    expect(endpoint({ ...common, query, list: 'ranked' }).metadata.list).toBe(null);
  });

  test('any other filter or order does', () => {
    const sort = sortQuery(['name', '-name']);
    // @ts-expect-error -- no order
    endpoint({ ...common, query: z.object(pageQuery) });
    // @ts-expect-error -- a filter that is no field
    endpoint({ ...common, query: z.object({ ...pageQuery, sort, since: z.string() }) });
    // @ts-expect-error -- an order that is no field
    endpoint({ ...common, query: z.object({ ...pageQuery, sort: sortQuery(['name', '-age']) }) });
    const { metadata } = endpoint({
      ...common,
      query: z.object({ ...pageQuery, sort: sortQuery(['name', '-age']), since: z.string() }),
      list: {
        filters: { since: filter('notBefore', 'createdAt') },
        sorts: { age: ['-createdAt'] },
      },
    });
    const [oldest] = metadata.list?.sorts['-age'] ?? [];
    expect(oldest).toEqual({ field: 'createdAt', direction: 'ascending', asIn: null });
  });
});
