import type { ListFilters } from '../../notifications/state.ts';
import type { NotificationsSearch, View } from './search.ts';

const views: Record<View, ListFilters> = {
  inbox: { isArchived: false, isSnoozed: false },
  unread: { isRead: false, isArchived: false, isSnoozed: false },
  mentions: { reason: 'mentioned', isArchived: false, isSnoozed: false },
  snoozed: { isArchived: false, isSnoozed: true },
  archived: { isArchived: true },
};

/** Returns the filters of the list that the page shows. */
export function filtersOf({ view, organization, reason }: NotificationsSearch): ListFilters {
  return {
    ...(organization && { organizationId: organization }),
    ...(reason && { reason }),
    ...views[view ?? 'inbox'],
  };
}
