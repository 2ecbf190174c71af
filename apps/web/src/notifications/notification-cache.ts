import type { Notification, UnreadCount } from '@atelier/client';
import { editCached } from '@atelier/client/react-query';
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import { accountQueries, topicKey } from '../session/queries.ts';
import { isCounted, isListed, type ListFilters } from './state.ts';

interface Pages {
  readonly pages: readonly { readonly items: readonly Notification[] }[];
}

const listKey = topicKey(['notifications', 'list']);
const { queryKey: countKey } = accountQueries.notifications.count.queryOptions();

/** Returns the notifications that any list of this tab shows, without duplicates. */
export function listedNotifications(cache: QueryClient): readonly Notification[] {
  const lists = cache.getQueriesData<Pages>({ queryKey: listKey });
  const items = lists.flatMap(([, data]) => data?.pages.flatMap((page) => page.items) ?? []);
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Changes notifications in every list, removes them from those they no longer belong to, and corrects the count. */
export function changeNotifications(
  cache: QueryClient,
  ids: readonly string[],
  change: (notification: Notification) => Notification,
): void {
  const changed = listedNotifications(cache).filter(({ id }) => ids.includes(id));
  for (const [queryKey] of cache.getQueriesData<InfiniteData<unknown>>({ queryKey: listKey })) {
    const filters = filtersOf(queryKey);
    editCached<Notification>(cache, {
      keys: [queryKey],
      ids,
      edit(notification) {
        const next = change(notification);
        return isListed(filters, next) ? next : null;
      },
    });
  }
  for (const notification of changed) {
    const before = isCounted(notification) ? 1 : 0;
    const after = isCounted(change(notification)) ? 1 : 0;
    addToCount(cache, notification.organization.id, after - before);
  }
}

function filtersOf(queryKey: QueryKey): ListFilters {
  // The keys are those of `createQueries`: group, operation, input.
  const input = queryKey.at(listKey.length) as { readonly query?: ListFilters } | undefined;
  return input?.query ?? {};
}

function addToCount(cache: QueryClient, organizationId: string, difference: number): void {
  if (difference === 0) return;
  cache.setQueryData<UnreadCount>(
    countKey,
    (count) =>
      count && {
        unread: Math.max(0, count.unread + difference),
        byOrganization: count.byOrganization.map((one) =>
          one.organizationId === organizationId
            ? { ...one, unread: Math.max(0, one.unread + difference) }
            : one,
        ),
      },
  );
}
