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
import { useOrganizationId } from './organization-choice.ts';
import { isSessionEnd } from './query-client.ts';

/** The first part of every key: what live updates and changes name. */
export type Topic =
  | 'assets'
  | 'bin'
  | 'collections'
  | 'comments'
  | 'dashboard'
  | 'invitations'
  | 'members'
  | 'projects'
  | 'tasks'
  | 'timeline';

export type TopicKey = readonly [Topic, ...unknown[]];

type OrganizationCall = Pick<CallOptions, 'organizationId' | 'signal'>;

/** The key under which something of an organization is kept. */
export function organizationKey(organizationId: string | null, key: readonly unknown[]): QueryKey {
  return ['organization', organizationId, ...key];
}

interface OrganizationQuery<Answer> {
  /** Topic, then everything the answer depends on. */
  readonly key: TopicKey;
  /** Calls the API; its argument goes there as the call's options. */
  readonly read: (options: OrganizationCall) => Promise<Answer>;
  readonly enabled?: boolean | undefined;
  /** Goes on showing the answer of the key before while the next one is read. */
  readonly keepPrevious?: boolean | undefined;
}

/** Reads something of the selected organization. */
export function useOrganizationQuery<Answer>({
  key,
  read,
  enabled = true,
  keepPrevious = false,
}: OrganizationQuery<Answer>): UseQueryResult<Answer> {
  const organizationId = useOrganizationId();
  return useQuery<Answer>({
    queryKey: organizationKey(organizationId, key),
    queryFn: ({ signal }) => read({ signal, organizationId }),
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

/** The part of a list's query that says which page. */
export type PageQuery = { readonly page: number } | { readonly cursor: string };

interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

interface OrganizationPages<Item> extends Omit<OrganizationQuery<never>, 'read'> {
  /** Calls a list: the page goes into its query, the options beside it. */
  readonly read: (page: PageQuery, options: OrganizationCall) => Promise<Page<Item>>;
}

/** A list that grows page by page, for `LoadMore`. */
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

/** Reads a list of the selected organization page by page; by cursor where the list has one. */
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

interface OrganizationChange<Variables, Answer> {
  /** Calls the API; `options` go there as the call's options. */
  readonly change: (variables: Variables, options: OrganizationCall) => Promise<Answer>;
  /** What has to be read again afterwards: topics, or longer beginnings of keys. */
  readonly touches: readonly TopicKey[];
  /** Shows the outcome at once; it is taken back if the change fails. */
  readonly optimistic?: ((cache: OrganizationCache, variables: Variables) => void) | undefined;
  readonly onDone?: ((answer: Answer, variables: Variables) => void) | undefined;
  /** Default: a notice. */
  readonly onFailed?: ((error: Error, variables: Variables) => void) | undefined;
}

/** What was read of the organization, for changes that are shown before they are made. */
export interface OrganizationCache {
  /** Replaces every answer whose key begins so. */
  update<Answer>(key: TopicKey, replace: (answer: Answer) => Answer): void;
}

/** Changes whose outcome is shown before they are made. */
const shownAtOnce = ['shown at once'];

/** Whether something is shown that the service does not know yet: what is read now would take it back. */
export function isAheadOfService(client: QueryClient): boolean {
  return client.isMutating({ mutationKey: shownAtOnce }) > 0;
}

/** What is to be read again once nothing is shown too early any more. */
const stale = new Map<string, QueryKey>();

/**
 * Changes something of the selected organization. Changes that are shown at once are sent one after the
 * other, in their order; what they touch is read again after the last one.
 */
export function useOrganizationChange<Variables, Answer>({
  change,
  touches,
  optimistic,
  onDone,
  onFailed = notifyFailure,
}: OrganizationChange<Variables, Answer>): UseMutationResult<Answer, Error, Variables> {
  const organizationId = useOrganizationId();
  const client = useQueryClient();
  const touched = touches.map((key) => organizationKey(organizationId, key));
  return useMutation({
    ...(optimistic && { mutationKey: shownAtOnce, scope: { id: touches[0]?.[0] ?? 'all' } }),
    mutationFn: (variables: Variables) => change(variables, { organizationId }),
    async onMutate(variables: Variables) {
      if (!optimistic) return [];
      // An answer that is on its way is older than the change.
      await Promise.all(touched.map((queryKey) => client.cancelQueries({ queryKey })));
      const before = touched.flatMap((queryKey) => client.getQueriesData({ queryKey }));
      optimistic(cacheOf(client, organizationId), variables);
      return before;
    },
    onSuccess: (answer, variables) => onDone?.(answer, variables),
    onError(error: Error, variables, before) {
      for (const [queryKey, answer] of before ?? []) client.setQueryData(queryKey, answer);
      if (!isSessionEnd(error)) onFailed(error, variables);
    },
    async onSettled() {
      for (const queryKey of touched) stale.set(JSON.stringify(queryKey), queryKey);
      // This one is still counted.
      if (client.isMutating({ mutationKey: shownAtOnce }) > (optimistic ? 1 : 0)) return;
      const keys = [...stale.values()];
      stale.clear();
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}

function cacheOf(client: QueryClient, organizationId: string | null): OrganizationCache {
  return {
    update<Answer>(key: TopicKey, replace: (answer: Answer) => Answer) {
      client.setQueriesData<Answer>({ queryKey: organizationKey(organizationId, key) }, (answer) =>
        answer === undefined ? undefined : replace(answer),
      );
    },
  };
}
