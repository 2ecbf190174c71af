import type { MarkNotificationsBody, TaskFollowing } from '@atelier/client';
import { api } from '../session/api.ts';
import { topicKey, type TopicKey } from '../session/queries.ts';
import { declareChange } from '../unsent/declare.ts';
import { useChange } from '../unsent/use-change.ts';
import { changeNotifications, listedNotifications } from './notification-cache.ts';
import { isCounted, isListed, marked, type NotificationMarks } from './state.ts';

interface MarkedNotification {
  readonly id: string;
  readonly marks: NotificationMarks;
}

const topics: readonly TopicKey[] = [['notifications']];

const minuteMs = 60_000;

const markNotification = declareChange({
  name: 'notifications.update',
  send({ id, marks: { snoozedUntil, ...marks } }: MarkedNotification) {
    const body = {
      ...marks,
      // The time stays the same, however late it is sent.
      ...(snoozedUntil !== undefined && {
        snoozeMinutes: snoozedUntil === null ? null : minutesUntil(snoozedUntil),
      }),
    };
    return api.notifications.update({ params: { id }, body });
  },
  invalidates: topics,
  show: (cache, { id, marks }) =>
    changeNotifications(cache, [id], (notification) => marked(notification, marks)),
  items: ({ id }) => [id],
});

function minutesUntil(at: string): number {
  return Math.max(1, Math.ceil((Date.parse(at) - Date.now()) / minuteMs));
}

/** Marks a notification as read or unread, archives it, or puts it off. */
export function useMarkNotification() {
  return useChange(markNotification);
}

type ReadUpTo = Pick<MarkNotificationsBody, 'organizationId' | 'reason'> & {
  /** The highest sequence that was shown. */
  readonly upTo: number;
};

const readNotifications = declareChange({
  name: 'notifications.read',
  send: (body: ReadUpTo) => api.notifications.read({ body }),
  invalidates: topics,
  show(cache, { upTo, organizationId, reason }) {
    const ids = listedNotifications(cache)
      .filter(
        (one) =>
          one.sequence <= upTo && isCounted(one) && isListed({ organizationId, reason }, one),
      )
      .map(({ id }) => id);
    changeNotifications(cache, ids, (notification) => ({ ...notification, isRead: true }));
  },
  items: () => [],
});

/** Marks the notifications of the inbox up to a sequence as read. */
export function useReadNotifications() {
  return useChange(readNotifications);
}

interface Follow {
  readonly taskId: string;
  readonly isFollowing: boolean;
}

const followingOf = (taskId: string): TopicKey => [
  'notifications',
  'following',
  { params: { id: taskId } },
];

const followTask = declareChange({
  name: 'notifications.follow',
  send: ({ taskId: id, isFollowing }: Follow, { organizationId }) =>
    isFollowing
      ? api.notifications.follow({ params: { id } }, { organizationId })
      : api.notifications.unfollow({ params: { id } }, { organizationId }),
  invalidates: [['notifications', 'following']],
  show: (cache, { taskId, isFollowing }) =>
    cache.setQueriesData<TaskFollowing>({ queryKey: topicKey(followingOf(taskId)) }, (state) => {
      if (!state || state.isFollowing === isFollowing) return state;
      return { isFollowing, followerCount: state.followerCount + (isFollowing ? 1 : -1) };
    }),
  items: ({ taskId }) => [taskId],
});

/** Follows a task or stops following it. */
export function useFollowTask() {
  return useChange(followTask);
}
