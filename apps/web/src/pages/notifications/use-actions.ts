import type { Notification } from '@atelier/client';
import { useMarkNotification } from '../../notifications/notification-changes.ts';
import { marked, type NotificationMarks } from '../../notifications/state.ts';
import { texts } from '../../texts/notifications.ts';
import { texts as shared } from '../../texts/shared.ts';
import { notify } from '../../ui/notices.tsx';
import { formatUntil } from './snooze.ts';

const { snooze: words } = texts;

/** What can be done with a notification. */
export interface NotificationActions {
  readonly markRead: (notification: Notification) => void;
  readonly toggleRead: (notification: Notification) => void;
  /** Archives it, or moves it back to the inbox. */
  readonly toggleArchived: (notification: Notification) => void;
  readonly snooze: (notification: Notification, until: Date) => void;
  readonly endSnooze: (notification: Notification) => void;
}

/** Changes notifications at once, and offers to undo what takes them out of the list. */
export function useNotificationActions(): NotificationActions {
  const { mutate } = useMarkNotification();
  const mark = ({ id }: Notification, marks: NotificationMarks) => mutate({ id, marks });

  function markWithUndo(notification: Notification, marks: NotificationMarks, text: string): void {
    const undo = undoOf(notification, marks);
    mark(notification, marks);
    notify(text, {
      topic: 'notifications',
      action: { label: shared.undo, run: () => mark(marked(notification, marks), undo) },
    });
  }

  return {
    markRead(notification) {
      if (!notification.isRead) mark(notification, { isRead: true });
    },
    toggleRead: (notification) => mark(notification, { isRead: !notification.isRead }),
    toggleArchived(notification) {
      const isArchived = !notification.isArchived;
      markWithUndo(notification, { isArchived }, isArchived ? texts.archived : texts.unarchived);
    },
    snooze(notification, until) {
      const text = words.done(formatUntil(until, new Date()));
      markWithUndo(notification, { snoozedUntil: until.toISOString() }, text);
    },
    endSnooze: (notification) => markWithUndo(notification, { snoozedUntil: null }, words.ended),
  };
}

/** Returns the marks that restore what these marks change. */
function undoOf(
  { isArchived, isRead, isSnoozed, snoozedUntil }: Notification,
  marks: NotificationMarks,
): NotificationMarks {
  if (marks.isArchived !== undefined) return { isArchived };
  return { isRead, snoozedUntil: isSnoozed ? snoozedUntil : null };
}
