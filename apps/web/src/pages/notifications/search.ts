import type { NotificationReason } from '@atelier/client';
import { oneOf } from '../../ui/options.ts';

/** Search parameters of this page. */
export interface NotificationsSearch {
  readonly view?: Exclude<View, 'inbox'> | undefined;
  readonly organization?: string | undefined;
  readonly reason?: NotificationReason | undefined;
}

export type View = 'inbox' | 'unread' | 'mentions' | 'snoozed' | 'archived';

export const reasons: readonly NotificationReason[] = [
  'mentioned',
  'assigned',
  'unassigned',
  'commented',
  'changed',
  'due_soon',
  'overdue',
  'invited',
  'role_changed',
  'removed',
  'share_guessing',
  'shared_opened',
  'integration_failing',
  'security',
];

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function validateSearch(search: Record<string, unknown>): NotificationsSearch {
  const view = oneOf(['unread', 'mentions', 'snoozed', 'archived'], search['view']);
  const reason = oneOf(reasons, search['reason']);
  const { organization } = search;
  return {
    ...(view && { view }),
    ...(typeof organization === 'string' && uuid.test(organization) && { organization }),
    ...(reason && { reason }),
  };
}
