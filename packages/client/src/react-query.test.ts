import {
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
  type InfiniteData,
} from '@tanstack/react-query';
import { operations, resourceTypes } from '@atelier/contract';
import { afterEach, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { createClient, type ErrorOf, type Task, type TaskPage } from './index.ts';
import type { LiveUpdate } from './events.ts';
import {
  createQueries,
  editCached,
  followChanges,
  optimistic,
  refreshing,
  staleKeys,
} from './react-query.ts';
import { sleep } from './waiting.ts';
import { failure, gate, startService, success, type Handler } from './testing/service.ts';

afterEach(() => {
  vi.useRealTimers();
});

const id = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';
const organizationId = '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11';

async function start(handler: Handler = () => success({ id })) {
  const service = await startService(handler);
  const api = createClient({ baseUrl: service.url, maxRetries: 0 });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return { ...service, api, client, queries: createQueries(api, { organizationId }) };
}

test('every operation has its options: those that read are queries, and those with pages infinite ones', () => {
  const queries = createQueries(createClient({ baseUrl: '' })) as unknown as Record<
    string,
    Record<string, object>
  >;
  for (const { id: operation, endpoint } of operations) {
    const [group = '', name = ''] = operation.split('.');
    const { status, isStream, data } = endpoint.metadata.success;
    if (status === 302 || isStream) continue;
    const isList = String(data?.meta()?.id).endsWith('Page');
    const read = isList
      ? ['infiniteQueryKey', 'infiniteQueryOptions', 'queryKey', 'queryOptions']
      : ['queryKey', 'queryOptions'];
    const wanted = endpoint.method === 'GET' ? read : ['mutationKey', 'mutationOptions'];
    expect([operation, Object.keys(queries[group]?.[name] ?? {}).toSorted()]).toEqual([
      operation,
      wanted,
    ]);
  }
});

test('a query sends its arguments and its organization, and caches the data', async () => {
  await using started = await start();
  const { client, queries, requests } = started;
  const options = queries.tasks.get.queryOptions({ params: { id } });
  const task = await client.fetchQuery(options);
  expectTypeOf(task).toEqualTypeOf<Task>();
  expect(task).toEqual({ id });
  expect(requests[0]).toMatchObject({
    method: 'GET',
    path: `/api/tasks/${id}`,
    headers: { 'x-organization-id': organizationId },
  });
  const cached = client.getQueryData(options.queryKey);
  expectTypeOf(cached).toEqualTypeOf<Task | undefined>();
  expect(cached).toEqual({ id });
  expectTypeOf(client.getQueryState(options.queryKey)?.error).toEqualTypeOf<
    ErrorOf<'tasks.get'> | null | undefined
  >();
});

test('keys begin with the group and the operation, and differ by arguments and organization', async () => {
  await using started = await start();
  const { client, queries, api } = started;
  expect(queries.tasks.list.queryKey()).toEqual(['atelier', 'tasks', 'list']);
  const key = queries.tasks.list.queryKey({ query: { limit: 5 } });
  expect(key).toEqual(['atelier', 'tasks', 'list', { organizationId, query: { limit: 5 } }]);
  // An account's data is the same in every organization.
  expect(queries.auth.user.queryKey({})).toEqual(['atelier', 'auth', 'user', {}]);
  await client.prefetchQuery(queries.tasks.list.queryOptions());
  await client.prefetchQuery(
    createQueries(api, { organizationId: null }).tasks.list.queryOptions(),
  );
  expect(client.getQueriesData({ queryKey: queries.tasks.list.queryKey() })).toHaveLength(2);
});

test('without an organization of their own, queries and mutations are of the one selected when they are made', async () => {
  await using started = await start();
  const { client, api, requests } = started;
  const { tasks, auth } = createQueries(api);
  api.session.setOrganizationId(organizationId);
  const options = tasks.get.queryOptions({ params: { id } });
  const pages = tasks.list.infiniteQueryKey({ organizationId: undefined });
  const update = new MutationObserver(client, tasks.update.mutationOptions());
  api.session.setOrganizationId(null);
  await client.fetchQuery(options);
  await client.fetchQuery(tasks.get.queryOptions({ params: { id } }));
  await update.mutate({ params: { id }, body: {} });

  expect(requests.map(({ headers }) => headers['x-organization-id'])).toEqual([
    organizationId,
    undefined,
    organizationId,
  ]);
  const cached = client.getQueriesData({ queryKey: tasks.get.queryKey() });
  expect(cached.map(([[, , , input]]) => input)).toEqual([
    { organizationId, params: { id } },
    { organizationId: null, params: { id } },
  ]);
  expect(pages).toEqual(['atelier', 'tasks', 'list', { organizationId }, 'pages']);
  expect(auth.user.queryKey({})).toEqual(['atelier', 'auth', 'user', {}]);
});

test('a cancelled query aborts its request', async () => {
  const never = gate();
  await using started = await start(() => never.opened.then(() => success({})));
  const { client, queries, requests } = started;
  const { queryKey, queryFn } = queries.auth.user.queryOptions();
  const seen: (AbortSignal | undefined)[] = [];
  const reading = client.fetchQuery({
    queryKey,
    queryFn: (context) => {
      seen.push(context.signal);
      return queryFn(context);
    },
  });
  const failed = reading.catch((error: unknown) => error);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  await client.cancelQueries({ queryKey });
  expect(await failed).toBeInstanceOf(Error);
  expect(seen[0]?.aborted).toBe(true);
});

test.each([
  ['cursor', (number: number) => ({ nextCursor: `c${number + 1}` }), '&cursor=c2'],
  ['page number', () => ({}), '&page=2'],
])('an infinite query continues by %s', async (_what, next, query) => {
  await using started = await start(({ path }) => {
    const { searchParams } = new URL(path, 'http://x');
    const number = Number(searchParams.get('cursor')?.slice(1) ?? searchParams.get('page') ?? 1);
    const hasNext = number < 2;
    const pagination = { page: number, hasNext, ...(hasNext && next(number)) };
    return success({ items: [`${number}`], pagination });
  });
  const { client, queries, requests } = started;
  const options = queries.tasks.list.infiniteQueryOptions({ query: { limit: 1 } });
  const observer = new InfiniteQueryObserver(client, options);
  const end = observer.subscribe(() => {});
  await vi.waitFor(() => expect(observer.getCurrentResult().hasNextPage).toBe(true));
  await observer.fetchNextPage();
  const { data, hasNextPage } = observer.getCurrentResult();
  expect(data?.pages.flatMap(({ items }) => items)).toEqual(['1', '2']);
  expect(hasNextPage).toBe(false);
  expect(requests.map(({ path }) => path)).toEqual([
    '/api/tasks?limit=1',
    `/api/tasks?limit=1${query}`,
  ]);
  // A page alone has another key.
  expect(client.getQueryData(queries.tasks.list.queryKey({ query: { limit: 1 } }))).toBeUndefined();
  end();
});

test('a mutation sends its variables and the options of its operation', async () => {
  await using started = await start();
  const { client, queries, requests } = started;
  const update = new MutationObserver(
    client,
    queries.tasks.update.mutationOptions({ ifMatch: '"7"' }),
  );
  expect(await update.mutate({ params: { id }, body: { title: 'New' } })).toEqual({ id });
  expect(requests[0]).toMatchObject({
    method: 'PATCH',
    headers: { 'if-match': '"7"', 'x-organization-id': organizationId },
  });
  // @ts-expect-error this operation takes no idempotency key
  queries.tasks.update.mutationOptions({ idempotencyKey: 'k' });
  await new MutationObserver(client, queries.sessions.endOthers.mutationOptions()).mutate({});
  expect(requests[1]?.headers['x-organization-id']).toBeUndefined();
});

const change = (resourceType: string): LiveUpdate =>
  ({ event: 'activity', id: '1', data: { resourceType } }) as unknown as LiveUpdate;

test('a live change makes the queries stale that show its resource, once for a burst', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const keys = ['comments', 'tasks', 'dashboard', 'assets', 'auth'].map((group) => [
    'atelier',
    group,
    'get',
    {},
  ]);
  for (const key of keys) client.setQueryData(key, {});
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  const follow = followChanges(client);
  for (let count = 0; count < 100; count++) follow(change('comment'));
  follow(change('of a newer service'));
  await vi.advanceTimersByTimeAsync(200);
  const stale = () => keys.filter((key) => client.getQueryState(key)?.isInvalidated);
  expect(stale().map(([, group]) => group)).toEqual(['comments', 'tasks', 'dashboard']);
  expect(invalidate).toHaveBeenCalledTimes(staleKeys('comment').length);

  follow({ event: 'reset', id: '2', data: { reason: 'too_many_changes' } });
  await vi.advanceTimersByTimeAsync(200);
  expect(stale()).toHaveLength(5);
});

test('the first stream makes all queries stale that were read before it, and the next ones none', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const key = ['atelier', 'dashboard', 'get', {}];
  client.setQueryData(key, {});
  const isStale = () => client.getQueryState(key)?.isInvalidated;
  const follow = followChanges(client);
  const ready: LiveUpdate = { event: 'ready', id: '1', data: { organizationId } };
  follow(ready);
  await vi.advanceTimersByTimeAsync(200);
  expect(isStale()).toBe(true);
  client.setQueryData(key, {});
  follow(ready);
  await vi.advanceTimersByTimeAsync(200);
  expect(isStale()).toBe(false);
});

test('a live change makes stale what arrives after it and was asked for before', async () => {
  const released = gate();
  let reads = 0;
  await using started = await start(async () => {
    const title = `read ${++reads}`;
    if (reads <= 2) await released.opened;
    return success({ id, title });
  });
  const { client, queries } = started;
  const shown = new QueryObserver(client, queries.tasks.get.queryOptions({ params: { id } }));
  onTestFinished(shown.subscribe(() => {}));
  const prefetched = queries.tasks.get.queryOptions({ params: { id: organizationId } });
  const prefetch = client.prefetchQuery(prefetched);
  await vi.waitFor(() => expect(reads).toBe(2));
  const follow = followChanges(client);

  follow(change('task'));
  await sleep(200);
  released.open();
  await prefetch;

  await vi.waitFor(() => expect(shown.getCurrentResult().data).toMatchObject({ title: 'read 3' }));
  await vi.waitFor(() =>
    expect(client.getQueryState(prefetched.queryKey)?.isInvalidated).toBe(true),
  );
  expect(shown.getCurrentQuery().state.isInvalidated).toBe(false);
  expect(reads).toBe(3);
});

test('a follower that its signal ended changes nothing', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  const controller = new AbortController();
  const follow = followChanges(client, controller.signal);
  follow(change('task'));
  controller.abort();
  follow(change('task'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(invalidate).not.toHaveBeenCalled();
});

test('every resource makes at least the queries of its own group stale', () => {
  for (const resource of resourceTypes) {
    expect(staleKeys(resource).length).toBeGreaterThan(1);
    expect(staleKeys(resource)).toContainEqual(['atelier', 'timeline']);
  }
  expect(staleKeys('label')).toContainEqual(['atelier', 'tasks']);
  expect(staleKeys('asset')).toContainEqual(['atelier', 'collections']);
  expect(staleKeys('asset')).not.toContainEqual(['atelier', 'tasks']);
});

function withTasks(client: QueryClient) {
  const items = ['a', 'b'].map((taskId) => ({ id: taskId, title: taskId }) as unknown as Task);
  const [one, list, pages] = [
    ['atelier', 'tasks', 'get', {}],
    ['atelier', 'tasks', 'list', {}],
    ['atelier', 'tasks', 'list', {}, 'pages'],
  ] as const;
  client.setQueryData(one, items[0]);
  client.setQueryData(list, { items });
  client.setQueryData(pages, { pages: [{ items }], pageParams: [null] });
  const titles = () => [
    client.getQueryData<Task>(one)?.title,
    client.getQueryData<TaskPage>(list)?.items.map(({ title }) => title),
    client.getQueryData<InfiniteData<TaskPage>>(pages)?.pages[0]?.items.map(({ title }) => title),
  ];
  return titles;
}

test('an edit reaches single items, pages and infinite lists', () => {
  const client = new QueryClient();
  const titles = withTasks(client);
  const keys = [['atelier', 'tasks']];
  editCached<Task>(client, { keys, ids: ['a'], edit: (task) => ({ ...task, title: 'new' }) });
  expect(titles()).toEqual(['new', ['new', 'b'], ['new', 'b']]);
  editCached<Task>(client, { keys, ids: ['a'], edit: () => null });
  expect(titles()).toEqual(['new', ['b'], ['b']]);
});

test('a removal reaches arrays and lowers the totals of all pages', () => {
  const client = new QueryClient();
  const item = (itemId: string) => ({ id: itemId });
  const page = (...ids: string[]) => ({ items: ids.map(item), pagination: { total: 4 } });
  client.setQueryData(['atelier', 'a'], ['a', 'b'].map(item));
  client.setQueryData(['atelier', 'b'], page('a', 'b'));
  client.setQueryData(['atelier', 'c'], { pages: [page('a', 'b'), page('c', 'd')] });
  client.setQueryData(['atelier', 'd'], null);
  editCached(client, { keys: [['atelier']], ids: ['a', 'd'], edit: () => null });
  const less = (total: number, ...ids: string[]) => ({ ...page(...ids), pagination: { total } });
  expect(client.getQueryData(['atelier', 'a'])).toEqual([item('b')]);
  expect(client.getQueryData(['atelier', 'b'])).toEqual(less(3, 'b'));
  expect(client.getQueryData(['atelier', 'c'])).toEqual({ pages: [less(2, 'b'), less(2, 'c')] });
  expect(client.getQueryData(['atelier', 'd'])).toBeNull();
});

test('a mutation that is not optimistic fetches its queries again', async () => {
  await using started = await start();
  const { client, queries } = started;
  const key = ['atelier', 'tasks', 'get', {}];
  client.setQueryData(key, {});
  const move = new MutationObserver(client, {
    ...queries.tasks.move.mutationOptions(),
    ...refreshing(client, staleKeys('task')),
  });
  await move.mutate({ params: { id }, body: { position: 0 } });
  expect(client.getQueryState(key)?.isInvalidated).toBe(true);
});

test('an optimistic mutation shows its change at once, and rolls it back when it fails', async () => {
  const responded = gate();
  await using started = await start(() => responded.opened.then(() => failure(409, 'conflict')));
  const { client, queries, requests } = started;
  const titles = withTasks(client);
  const keys = staleKeys('task');
  const update = new MutationObserver(client, {
    ...queries.tasks.update.mutationOptions(),
    ...optimistic(client, {
      keys,
      update: ({ params, body }: Parameters<typeof mutationFn>[0]) =>
        editCached<Task>(client, {
          keys,
          ids: [params.id],
          edit: (task) => ({ ...task, title: body.title ?? task.title }),
        }),
    }),
  });
  const { mutationFn } = queries.tasks.update.mutationOptions();
  const done = update.mutate({ params: { id: 'a' }, body: { title: 'new' } });
  const failed = done.catch((error: unknown) => error);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  expect(titles()).toEqual(['new', ['new', 'b'], ['new', 'b']]);
  responded.open();
  expect(await failed).toMatchObject({ code: 'conflict' });
  expect(titles()).toEqual(['a', ['a', 'b'], ['a', 'b']]);
});

test('queries are fetched again after the last optimistic mutation, and live changes wait for it', async () => {
  const gates = [gate(), gate()];
  let received = 0;
  await using started = await start(async () => {
    await gates[received++]?.opened;
    return success({ id });
  });
  const { client, queries, requests } = started;
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  const update = () =>
    new MutationObserver(client, {
      ...queries.tasks.update.mutationOptions(),
      ...optimistic(client, { keys: [['atelier', 'tasks']], update: () => {} }),
    }).mutate({ params: { id }, body: {} });
  const [first, second] = [update(), update()];
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  const follow = followChanges(client);
  follow(change('project'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  gates[0]?.open();
  await first;
  expect(invalidate).not.toHaveBeenCalled();
  // In order, one after the other.
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  gates[1]?.open();
  await second;
  const keys = invalidate.mock.calls.map(([filters]) => String(filters?.queryKey));
  expect(keys.toSorted()).toEqual([
    'atelier,dashboard',
    'atelier,notifications',
    'atelier,projects',
    'atelier,search',
    'atelier,tasks',
    'atelier,timeline',
  ]);
});

test('what others make stale while an optimistic mutation fetches again is fetched, too', async () => {
  const refetch = gate();
  let received = 0;
  await using started = await start(async () => {
    received += 1;
    if (received === 3) await refetch.opened;
    return success({ id });
  });
  const { client, queries, requests } = started;
  const shown = new QueryObserver(client, queries.tasks.get.queryOptions({ params: { id } }));
  onTestFinished(shown.subscribe(() => {}));
  await expect.poll(() => shown.getCurrentResult().isSuccess).toBe(true);
  const updated = new MutationObserver(client, {
    ...queries.tasks.update.mutationOptions(),
    ...optimistic(client, { keys: [['atelier', 'tasks']], update: () => {} }),
  }).mutate({ params: { id }, body: {} });
  await expect.poll(() => requests).toHaveLength(3);
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  await refreshing(client, [['atelier', 'projects']]).onSettled();
  expect(invalidate).not.toHaveBeenCalled();
  refetch.open();
  await updated;
  expect(invalidate.mock.calls.map(([filters]) => filters?.queryKey)).toEqual([
    ['atelier', 'projects'],
  ]);
});
