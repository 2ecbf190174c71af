import type { CallOptions, Pagination } from '@atelier/client';
import {
  createQueries,
  optimistic as optimisticOptions,
  refreshing,
  rootKey,
  type QueryGroups,
} from '@atelier/client/react-query';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { notifyFailure } from '../ui/notices.tsx';
import { useFollowingPages } from '../ui/use-following-pages.ts';
import { useQueryError } from '../ui/use-query-error.ts';
import { api } from './api.ts';
import { confirmed, needsConfirmation } from './confirmed.ts';
import { isSessionEnd, sendTo } from './query-client.ts';
import { useOrganizationId } from './selected-organization.ts';

/** Options of the queries of an account, which don't depend on the selected organization. */
export const accountQueries = createQueries(api);

const byOrganization = new Map<string | null, QueryGroups>();

/** Returns the options of the queries of an organization. */
function queriesOf(organizationId: string | null): QueryGroups {
  const known = byOrganization.get(organizationId) ?? createQueries(api, { organizationId });
  byOrganization.set(organizationId, known);
  return known;
}

/** Returns the options of the queries of the selected organization. */
export function useOrganizationQueries(): QueryGroups {
  return queriesOf(useOrganizationId());
}

/** The beginning of a query key: the group of an operation, and more. */
export type TopicKey = readonly [keyof QueryGroups, ...unknown[]];

/** Returns the beginning of the query keys of a topic. */
export function topicKey(key: TopicKey): QueryKey {
  return [...rootKey, ...key];
}

type OrganizationOptions = Pick<CallOptions, 'organizationId' | 'signal'>;

interface ComposedQuery<Data> {
  /** The topic, a name, and everything that the responses depend on. */
  readonly key: TopicKey;
  /** Sends the requests; passes its argument as request options. */
  readonly read: (options: OrganizationOptions) => Promise<Data>;
  /** Default: the selected one. */
  readonly organizationId?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  /** Shows the data of the previous key while the next one is loading. */
  readonly keepPrevious?: boolean | undefined;
}

/** Fetches data of an organization that takes several requests. */
export function useComposedQuery<Data>({
  key,
  read,
  organizationId: wantedId,
  enabled = true,
  keepPrevious = false,
}: ComposedQuery<Data>): UseQueryResult<Data> {
  const selectedId = useOrganizationId();
  const organizationId = wantedId === undefined ? selectedId : wantedId;
  return useQuery<Data>({
    queryKey: [...topicKey(key), { organizationId }],
    queryFn: ({ signal }) => read({ signal, organizationId }),
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

interface Page {
  readonly items: readonly unknown[];
  readonly pagination: Pagination;
}

/** A paginated list, for `LoadMore`. */
export interface ItemPages<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  /** There are more than `total`. */
  readonly isTotalLowerBound: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
}

/** Fetches the next page. Its error becomes a notification: a list shows only one that leaves it without items. */
export async function loadNextPage(
  query: Pick<UseInfiniteQueryResult, 'fetchNextPage'>,
): Promise<void> {
  const { isFetchNextPageError, error } = await query.fetchNextPage();
  if (isFetchNextPageError && !isSessionEnd(error)) notifyFailure(error);
}

/**
 * Fetches a list page by page.
 *
 * @param maxFollowed - fetches the pages up to this number of items by itself
 */
export function useItemPages<Data extends Page, Failure extends Error, Key extends QueryKey, Param>(
  options: UseInfiniteQueryOptions<Data, Failure, InfiniteData<Data, Param>, Key, Param>,
  maxFollowed = 0,
): ItemPages<Data['items'][number]> {
  const query = useInfiniteQuery(options);
  const error = useQueryError(query);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  useFollowingPages(query, items.length, maxFollowed);
  const last = query.data?.pages.at(-1)?.pagination;
  return {
    items,
    total: last?.total ?? 0,
    isTotalLowerBound: last?.isTotalLowerBound ?? false,
    isPending: query.isPending && !error,
    error,
    refetch: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void loadNextPage(query),
  };
}

interface OrganizationMutation<Variables, Data> {
  /** Sends the request; passes `options` as request options. */
  readonly change: (variables: Variables, options: OrganizationOptions) => Promise<Data>;
  /** Topics, or longer beginnings of query keys, to refetch afterwards. */
  readonly invalidates: readonly TopicKey[];
  /** Updates the cache before the response; rolled back if the mutation fails. */
  readonly optimistic?: ((client: QueryClient, variables: Variables) => void) | undefined;
  readonly onDone?: ((data: Data, variables: Variables) => void) | undefined;
  /** Default: an error notification. */
  readonly onFailed?: ((error: Error, variables: Variables) => void) | undefined;
}

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
  const keys = invalidates.map(topicKey);
  const update = (variables: Variables) => optimistic?.(client, variables);
  const { onError, ...cached } = optimistic
    ? optimisticOptions(client, { keys, update })
    : { ...refreshing(client, keys), onError: () => {} };
  return useMutation({
    ...cached,
    mutationFn: (variables: Variables) =>
      sendTo(organizationId, () => confirmed(() => change(variables, { organizationId }))),
    onSuccess: (data, variables) => onDone?.(data, variables),
    onError(error: Error, variables, snapshot: Parameters<typeof onError>[2]) {
      // The cache is emptied with the session, and may be of the next user already.
      if (isSessionEnd(error)) return;
      onError(error, variables, snapshot);
      // Who does not confirm knows why nothing happened.
      if (!needsConfirmation(error)) onFailed(error, variables);
    },
  });
}
