import type { CallOptions, Pagination } from '@atelier/client';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { notifyFailure } from '../ui/notices.tsx';
import { useOrganizationId } from './selected-organization.ts';
import { isSessionEnd } from './query-client.ts';

/** First part of every query key; live updates and mutations invalidate by topic. */
export type Topic =
  | 'assets'
  | 'bin'
  | 'collections'
  | 'comments'
  | 'dashboard'
  | 'invitations'
  | 'labels'
  | 'members'
  | 'projects'
  | 'tasks'
  | 'timeline';

export type TopicKey = readonly [Topic, ...unknown[]];

type OrganizationOptions = Pick<CallOptions, 'organizationId' | 'signal'>;

/** Returns the query key of an organization's data. */
export function organizationKey(organizationId: string | null, key: readonly unknown[]): QueryKey {
  return ['organization', organizationId, ...key];
}

interface OrganizationQuery<Data> {
  /** The topic, then everything that the response depends on. */
  readonly key: TopicKey;
  /** Sends the request; passes its argument as request options. */
  readonly read: (options: OrganizationOptions) => Promise<Data>;
  readonly enabled?: boolean | undefined;
  /** Shows the data of the previous key while the next one is loading. */
  readonly keepPrevious?: boolean | undefined;
}

/** Fetches data of the selected organization. */
export function useOrganizationQuery<Data>({
  key,
  read,
  enabled = true,
  keepPrevious = false,
}: OrganizationQuery<Data>): UseQueryResult<Data> {
  const organizationId = useOrganizationId();
  return useQuery<Data>({
    queryKey: organizationKey(organizationId, key),
    queryFn: ({ signal }) => read({ signal, organizationId }),
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

/** The page parameters of a list's query. */
export type PageQuery = { readonly page: number } | { readonly cursor: string };

interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

interface OrganizationPages<Item> extends Omit<OrganizationQuery<never>, 'read'> {
  /** Requests a page: `page` goes into the query, `options` are the request options. */
  readonly read: (page: PageQuery, options: OrganizationOptions) => Promise<Page<Item>>;
}

/** A paginated list, for `LoadMore`. */
export interface ItemPages<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
}

/** Fetches a list of the selected organization page by page, by cursor if the list has one. */
export function useOrganizationPages<Item>({
  key,
  read,
  enabled = true,
  keepPrevious = false,
}: OrganizationPages<Item>): ItemPages<Item> {
  const organizationId = useOrganizationId();
  const query = useInfiniteQuery<
    Page<Item>,
    Error,
    InfiniteData<Page<Item>, PageQuery>,
    QueryKey,
    PageQuery
  >({
    queryKey: organizationKey(organizationId, [...key, 'pages']),
    initialPageParam: { page: 1 },
    queryFn: ({ signal, pageParam }) => read(pageParam, { signal, organizationId }),
    getNextPageParam: ({ pagination }) => pageAfter(pagination),
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
  return {
    items: query.data?.pages.flatMap((page) => page.items) ?? [],
    total: query.data?.pages.at(-1)?.pagination.total ?? 0,
    isPending: query.isPending,
    error: query.error,
    refetch: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  };
}

function pageAfter({ hasNext, nextCursor, page }: Pagination): PageQuery | undefined {
  if (!hasNext) return undefined;
  return nextCursor ? { cursor: nextCursor } : { page: page + 1 };
}

interface OrganizationMutation<Variables, Data> {
  /** Sends the request; passes `options` as request options. */
  readonly change: (variables: Variables, options: OrganizationOptions) => Promise<Data>;
  /** Topics, or longer prefixes of query keys, to refetch afterwards. */
  readonly invalidates: readonly TopicKey[];
  /** Updates the cache before the response; rolled back if the mutation fails. */
  readonly optimistic?: ((cache: OrganizationCache, variables: Variables) => void) | undefined;
  readonly onDone?: ((data: Data, variables: Variables) => void) | undefined;
  /** Default: an error notification. */
  readonly onFailed?: ((error: Error, variables: Variables) => void) | undefined;
}

/** The cached data of the organization, for optimistic updates. */
export interface OrganizationCache {
  /** Replaces the data of every query whose key has this prefix. */
  update<Data>(key: TopicKey, replace: (data: Data) => Data): void;
}

const optimisticMutationKey = ['optimistic'];

/** Tells whether optimistic updates are pending: a refetch would roll them back. */
export function hasPendingOptimisticUpdates(client: QueryClient): boolean {
  return client.isMutating({ mutationKey: optimisticMutationKey }) > 0;
}

/** Query keys to invalidate once no optimistic mutation is pending. */
const stale = new Map<string, QueryKey>();

/**
 * Changes data of the selected organization. Optimistic mutations run one after the other, in order; the
 * queries they invalidate are refetched after the last one.
 */
export function useOrganizationMutation<Variables, Data>({
  change,
  invalidates,
  optimistic,
  onDone,
  onFailed = notifyFailure,
}: OrganizationMutation<Variables, Data>): UseMutationResult<Data, Error, Variables> {
  const organizationId = useOrganizationId();
  const client = useQueryClient();
  const queryKeys = invalidates.map((key) => organizationKey(organizationId, key));
  return useMutation({
    ...(optimistic && {
      mutationKey: optimisticMutationKey,
      scope: { id: invalidates[0]?.[0] ?? 'all' },
    }),
    mutationFn: (variables: Variables) => change(variables, { organizationId }),
    async onMutate(variables: Variables) {
      if (!optimistic) return [];
      // A pending response is older than the change.
      await Promise.all(queryKeys.map((queryKey) => client.cancelQueries({ queryKey })));
      const previous = queryKeys.flatMap((queryKey) => client.getQueriesData({ queryKey }));
      optimistic(cacheOf(client, organizationId), variables);
      return previous;
    },
    onSuccess: (data, variables) => onDone?.(data, variables),
    onError(error: Error, variables, previous) {
      for (const [queryKey, data] of previous ?? []) client.setQueryData(queryKey, data);
      if (!isSessionEnd(error)) onFailed(error, variables);
    },
    async onSettled() {
      for (const queryKey of queryKeys) stale.set(JSON.stringify(queryKey), queryKey);
      // This mutation still counts as pending.
      if (client.isMutating({ mutationKey: optimisticMutationKey }) > (optimistic ? 1 : 0)) return;
      const keys = [...stale.values()];
      stale.clear();
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}

function cacheOf(client: QueryClient, organizationId: string | null): OrganizationCache {
  return {
    update<Data>(key: TopicKey, replace: (data: Data) => Data) {
      client.setQueriesData<Data>({ queryKey: organizationKey(organizationId, key) }, (data) =>
        data === undefined ? undefined : replace(data),
      );
    },
  };
}
