import type { Mutation, Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Returns the changed item, or null to remove it. */
export type Edit<Item> = (item: Item) => Item | null;

/**
 * Edits items by their ids in all cached data whose keys have one of these beginnings: single items, arrays, pages, and
 * infinite lists of pages. A single item is never removed.
 */
export function editCached<Item extends { readonly id: string }>(
  client: QueryClient,
  { keys, ids, edit }: EditedItems<Item>,
): void {
  const editAll = (items: readonly Item[]) =>
    items.flatMap((item) => (ids.includes(item.id) ? (edit(item) ?? []) : item));
  const editPages = (pages: readonly AnyPage<Item>[]) => {
    const edited = pages.map(({ items }) => editAll(items));
    const removed = pages.flatMap(({ items }) => items).length - edited.flat().length;
    return pages.map((page, index) => {
      const { pagination } = page;
      const items = edited[index];
      if (!pagination) return { ...page, items };
      return { ...page, items, pagination: { ...pagination, total: pagination.total - removed } };
    });
  };
  // The caller says by the keys what the data is.
  const editAny = (data: unknown): unknown => {
    if (Array.isArray(data)) return editAll(data as Item[]);
    if (isObject(data) && Array.isArray(data['pages'])) {
      return { ...data, pages: editPages(data['pages'] as AnyPage<Item>[]) };
    }
    if (isObject(data) && Array.isArray(data['items'])) {
      return editPages([data as unknown as AnyPage<Item>])[0];
    }
    if (isObject(data) && ids.includes(String(data['id'])))
      return edit(data as unknown as Item) ?? data;
    return data;
  };
  for (const queryKey of keys) client.setQueriesData({ queryKey }, editAny);
}

interface AnyPage<Item> {
  readonly items: readonly Item[];
  readonly pagination?: { readonly total: number };
}

/** Items to edit in cached data. */
export interface EditedItems<Item> {
  /** Beginnings of the keys of the data. */
  readonly keys: readonly QueryKey[];
  readonly ids: readonly string[];
  readonly edit: Edit<Item>;
}

export interface OptimisticOptions<Variables> {
  /** Beginnings of the keys of the queries that the mutation changes. */
  readonly keys: readonly QueryKey[];
  /** Changes the cached data before the response, such as by {@link editCached}. */
  readonly update: (variables: Variables) => void;
}

const mutationKey = ['atelier', 'optimistic'] as const;
const stale = new WeakMap<QueryClient, Map<string, QueryKey>>();

function pendingOf(client: QueryClient): number {
  return client.isMutating({ mutationKey });
}

type Snapshot = [QueryKey, unknown][];

/** What takes a snapshot and applies its change, again. Snapshots are data only: mutations may be persisted. */
const changes = new WeakMap<Snapshot, () => void>();

/**
 * Returns what makes a mutation optimistic, to spread into its options: it changes the cached data first, and rolls
 * that back if the mutation fails. Optimistic mutations of the same first key run one after the other. The queries are
 * fetched again after the last one.
 */
export function optimistic<Variables>(
  client: QueryClient,
  { keys, update }: OptimisticOptions<Variables>,
) {
  const scope = { id: JSON.stringify(keys[0]) };
  const predicate = ({ options }: Mutation) => options.scope?.id === scope.id;
  return {
    mutationKey,
    scope,
    async onMutate(variables: Variables): Promise<Snapshot> {
      // A response on its way is older than the change.
      await Promise.all(keys.map((queryKey) => client.cancelQueries({ queryKey })));
      const snapshot: Snapshot = [];
      const change = () => {
        const data = keys.flatMap((queryKey) => client.getQueriesData({ queryKey }));
        snapshot.splice(0, snapshot.length, ...data);
        update(variables);
      };
      changes.set(snapshot, change);
      change();
      return snapshot;
    },
    onError(_error: unknown, _variables: Variables, snapshot: Snapshot = []): void {
      const pending = client
        .getMutationCache()
        .findAll({ mutationKey, status: 'pending', predicate })
        .map(({ state }) => (state.context as Snapshot | undefined) ?? []);
      // The snapshots of those that wait have this change: restored later, they would bring it back.
      const waiting = pending.filter((other) => other !== snapshot);
      const newestFirst = [snapshot, ...waiting].reduceRight((newer, older) => [
        ...newer,
        ...older,
      ]);
      for (const [queryKey, data] of newestFirst) client.setQueryData(queryKey, data);
      for (const other of waiting) changes.get(other)?.();
    },
    // This mutation still counts as pending.
    onSettled: () => invalidateAfter(client, { keys, pending: 1 }),
  };
}

/**
 * Returns what makes a mutation fetch the queries again whose keys have one of these beginnings, once no optimistic
 * change is pending; to spread into its options.
 */
export function refreshing(client: QueryClient, keys: readonly QueryKey[]) {
  return { onSettled: () => invalidateAfter(client, { keys, pending: 0 }) };
}

interface Invalidation {
  readonly keys: readonly QueryKey[];
  /** The number of optimistic mutations that may still be pending. */
  readonly pending: number;
}

/** Marks queries as stale once no optimistic change is pending: a refetch would roll it back. */
export async function invalidateAfter(
  client: QueryClient,
  { keys, pending }: Invalidation,
): Promise<void> {
  const waiting = stale.get(client) ?? new Map<string, QueryKey>();
  stale.set(client, waiting);
  for (const queryKey of keys) waiting.set(JSON.stringify(queryKey), queryKey);
  if (pendingOf(client) > pending) return;
  await invalidateAll(client, waiting);
  // A mutation counts as pending as long as its refetch takes, so what came meanwhile is left.
  if (pendingOf(client) <= pending) void invalidateAll(client, waiting);
}

async function invalidateAll(client: QueryClient, waiting: Map<string, QueryKey>): Promise<void> {
  const ready = [...waiting.values()];
  waiting.clear();
  await Promise.all(ready.map((queryKey) => invalidate(client, queryKey)));
}

/**
 * Marks queries as stale, also those that are being fetched without being restarted: what arrives may be older than the
 * change, and would count as fresh.
 */
async function invalidate(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const underWay = client.getQueryCache().findAll({ queryKey, predicate: isNotRestarted });
  const again = underWay.map(async (query) => {
    // Joins the fetch.
    await query.fetch();
    await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  });
  await Promise.all([client.invalidateQueries({ queryKey }), Promise.allSettled(again)]);
}

/** An invalidation restarts only what is shown and has data. */
function isNotRestarted(query: Query): boolean {
  const { fetchStatus, data } = query.state;
  return fetchStatus === 'fetching' && (data === undefined || !query.isActive());
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
