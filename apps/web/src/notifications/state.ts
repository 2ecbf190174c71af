import type { Notification } from '@atelier/client';

type State = Pick<Notification, 'isRead' | 'isArchived' | 'isSnoozed'>;

/** The filters of a list of notifications. */
export interface ListFilters extends Partial<State> {
  readonly organizationId?: string | undefined;
  readonly reason?: Notification['reason'] | undefined;
}

/** Tells whether a list with these filters has the notification. */
export function isListed(
  { organizationId, reason, isRead, isArchived, isSnoozed }: ListFilters,
  notification: Notification,
): boolean {
  return (
    (organizationId ?? notification.organization.id) === notification.organization.id &&
    (reason ?? notification.reason) === notification.reason &&
    (isRead ?? notification.isRead) === notification.isRead &&
    (isArchived ?? notification.isArchived) === notification.isArchived &&
    (isSnoozed ?? notification.isSnoozed) === notification.isSnoozed
  );
}

/** Tells whether the number at the bell includes the notification. */
export function isCounted({ isRead, isArchived, isSnoozed }: State): boolean {
  return !isRead && !isArchived && !isSnoozed;
}

/** How to mark a notification. */
export interface NotificationMarks {
  readonly isRead?: boolean;
  readonly isArchived?: boolean;
  /** ISO 8601; null ends the snooze. */
  readonly snoozedUntil?: string | null;
}

/** Returns the notification as it will be. */
export function marked(notification: Notification, marks: NotificationMarks): Notification {
  const { snoozedUntil } = marks;
  return {
    ...notification,
    ...marks,
    ...(snoozedUntil !== undefined && {
      isSnoozed: snoozedUntil !== null,
      // What is put off comes back unread.
      isRead: marks.isRead ?? (snoozedUntil === null ? notification.isRead : false),
    }),
  };
}
