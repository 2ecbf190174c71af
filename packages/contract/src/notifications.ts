import { z } from 'zod/v4';
import { memberAccess, publicAccess, userAccess } from './access.ts';
import { ReviewStatus } from './asset-review.ts';
import { endpoint } from './endpoint.ts';
import { ok, withoutData } from './envelope.ts';
import { Person } from './members.ts';
import {
  NotificationPreferences,
  NotificationPreferencesBody,
} from './notification-preferences.ts';
import { NotificationReason } from './notification-reasons.ts';
import { cursorList, cursorListOf, pageOf } from './pagination.ts';
import { Id, queryBoolean, Timestamp, verbatimText } from './primitives.ts';
import { filterBy, ownTarget, target } from './targets.ts';

/** Where the count of unread notifications stops. */
export const maxUnreadCount = 999;
/** Maximum number of characters of a comment that a notification shows. */
export const maxExcerptLength = 140;
/** Maximum number of notifications that are named to be marked. */
export const maxMarkedNotifications = 100;
/** The longest time that a notification can be put off, in minutes: a year. */
export const maxSnoozeMinutes = 366 * 24 * 60;

const NotificationSubject = z.object({
  type: z.enum([
    'task',
    'asset',
    'organization',
    'invitation',
    'share',
    'webhook',
    'api_key',
    'account',
  ]),
  id: Id,
  title: z
    .string()
    .describe(
      'As it is now. Of an invitation: the name of the organization; of the account: what happened to it.',
    ),
  link: z.string().nullable().describe('Path of its page in the web app; null without one.'),
});

export const Notification = z
  .object({
    id: Id,
    reason: NotificationReason,
    organization: z
      .object({ id: Id, name: z.string() })
      .describe('Of what concerns the account: the personal one.'),
    actor: z
      .object({ id: Id, name: z.string(), avatarUrl: Person.shape.avatarUrl })
      .nullable()
      .describe('Who did the newest of it; null: a guest or the service.'),
    guestName: z
      .string()
      .nullable()
      .describe(
        'The name that a visitor of a share gave who wrote the newest comment; null otherwise.',
      ),
    reviewStatus: ReviewStatus.nullable().describe(
      'The status that was set, if the newest of it is a review of an asset; null otherwise, or if its activity is no longer kept.',
    ),
    subject: NotificationSubject,
    excerpt: z
      .string()
      .nullable()
      .describe(
        `The start of the newest comment as it is now, at most ${maxExcerptLength} characters; null if it is not about one.`,
      ),
    eventCount: z
      .int()
      .min(1)
      .describe('How many events it stands for, all with this subject and reason.'),
    sequence: z
      .int()
      .min(1)
      .describe('Ascends with everything that arrives in the inbox: `upTo` takes it.'),
    activityId: Id.nullable().describe(
      'The newest activity; null if there is none, as for a due date that has come.',
    ),
    isRead: z.boolean(),
    isArchived: z.boolean(),
    isSnoozed: z.boolean().describe('Whether it is put off: it counts as unread later.'),
    snoozedUntil: Timestamp.nullable(),
    createdAt: Timestamp.describe('When the first of it happened.'),
    updatedAt: Timestamp.describe('When the newest of it happened.'),
  })
  .meta({
    id: 'Notification',
    description: 'What concerns a person, while they may read its subject.',
    examples: [
      {
        id: '019aa4fb-2b3c-7d4e-9f50-a1b2c3d4e5f6',
        reason: 'mentioned',
        organization: { id: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11', name: 'Analytical Engines' },
        actor: {
          id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
          name: 'Ada Lovelace',
          avatarUrl: null,
        },
        guestName: null,
        reviewStatus: null,
        subject: {
          type: 'task',
          id: '019aa4f6-5f70-7182-8394-af1b2c3d4e5f',
          title: 'Write the imprint',
          link: '/projects/019aa4f5-4e6f-7071-8283-9e0f1a2b3c4d?task=019aa4f6-5f70-7182-8394-af1b2c3d4e5f',
        },
        excerpt: '@Ada Lovelace the address is missing.',
        eventCount: 1,
        sequence: 17,
        activityId: '019aa4f3-2c4d-7e5f-a061-7c8d9e0f1a2b',
        isRead: false,
        isArchived: false,
        isSnoozed: false,
        snoozedUntil: null,
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Notification = z.infer<typeof Notification>;

export const NotificationPage = pageOf(Notification, 'NotificationPage');

const unreadCount = z.int().min(0).max(maxUnreadCount);

export const UnreadCount = z
  .object({
    unread: unreadCount.describe(`Over all organizations; ${maxUnreadCount} stands for more.`),
    byOrganization: z
      .array(z.object({ organizationId: Id, unread: unreadCount }))
      .describe('If there are more, of the newest thousand.'),
  })
  .meta({
    id: 'UnreadCount',
    description: 'How many notifications are unread, neither archived nor snoozed.',
    examples: [
      {
        unread: 3,
        byOrganization: [{ organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11', unread: 3 }],
      },
    ],
  });

export const UpdateNotificationBody = z
  .object({
    isRead: z.boolean().optional(),
    isArchived: z.boolean().optional(),
    snoozeMinutes: z
      .int()
      .min(1)
      .max(maxSnoozeMinutes)
      .nullable()
      .optional()
      .describe('Puts it off for so long, unread; null ends that.'),
  })
  .meta({
    id: 'UpdateNotificationBody',
    description: 'What to change; an absent field stays as it is.',
    examples: [{ isRead: true }],
  });

export const MarkNotificationsBody = z
  .object({
    ids: z
      .array(Id)
      .min(1)
      .max(maxMarkedNotifications)
      .optional()
      .describe('These, as far as they are in the inbox. Not together with other fields.'),
    upTo: z
      .int()
      .min(1)
      .optional()
      .describe('The highest `sequence` that was shown: what has arrived since stays as it is.'),
    organizationId: Id.optional().describe('With `upTo`: only those of this organization.'),
    reason: NotificationReason.optional().describe('With `upTo`: only those with this reason.'),
  })
  .refine(({ ids, upTo }) => (ids === undefined) !== (upTo === undefined), {
    error: 'Expected either `ids` or `upTo`',
    path: ['upTo'],
  })
  .refine(
    ({ ids, organizationId, reason }) =>
      ids === undefined || (organizationId === undefined && reason === undefined),
    { error: 'Expected no other field together with `ids`', path: ['ids'] },
  )
  .meta({
    id: 'MarkNotificationsBody',
    description: 'Which notifications of the inbox to change.',
    examples: [{ upTo: 17 }, { ids: ['019aa4fb-2b3c-7d4e-9f50-a1b2c3d4e5f6'] }],
  });

export const ChangedNotifications = z.object({ changedCount: z.int().min(0) }).meta({
  id: 'ChangedNotifications',
  description: 'How many notifications have changed.',
  examples: [{ changedCount: 12 }],
});

export const TaskFollowing = z
  .object({ isFollowing: z.boolean(), followerCount: z.int().min(0) })
  .meta({
    id: 'TaskFollowing',
    description: 'Whether you follow a task, and how many members do.',
    examples: [{ isFollowing: true, followerCount: 3 }],
  });

export const FollowerPage = pageOf(Person, 'FollowerPage');

const marked = {
  'body.ids': filterBy('any'),
  'body.organizationId': filterBy('organization'),
};

const notificationPath = z.object({ id: Id });
const taskPath = z.object({ id: Id });
const onTask = { 'params.id': target('task', 'task:read') };

export const notifications = {
  list: endpoint({
    method: 'GET',
    path: '/api/notifications',
    summary: 'List your notifications over all organizations',
    description:
      'The newest first. The inbox has those that are neither archived nor snoozed. A notification is listed and counted only while you may read its subject.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    query: cursorListOf({
      organizationId: Id.optional(),
      reason: NotificationReason.optional(),
      isRead: queryBoolean().optional(),
      isArchived: queryBoolean().optional(),
      isSnoozed: queryBoolean().optional(),
    }),
    list: {
      filters: {
        organizationId: { comparison: 'equal', fields: ['organization.id'] },
      },
      order: ['-sequence'],
    },
    targets: { 'query.organizationId': filterBy('organization') },
    success: ok('Notifications retrieved', NotificationPage),
  }),
  count: endpoint({
    method: 'GET',
    path: '/api/notifications/count',
    summary: 'Count your unread notifications',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    etag: true,
    success: ok('Unread notifications counted', UnreadCount),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/notifications/:id',
    summary: 'Mark a notification as read or unread, archive it, or put it off',
    description:
      '`If-Match` takes the `ETag` of the notification as it was shown: another event may have joined it.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    ifMatch: true,
    pathParams: notificationPath,
    body: UpdateNotificationBody,
    targets: { 'params.id': ownTarget('notification') },
    success: ok('Notification updated', Notification),
    errors: ['not_found'],
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/notifications/read',
    summary: 'Mark the notifications of the inbox as read',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    body: MarkNotificationsBody,
    targets: marked,
    success: ok('Notifications marked as read', ChangedNotifications),
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/notifications/archive',
    summary: 'Archive the notifications of the inbox',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    body: MarkNotificationsBody,
    targets: marked,
    success: ok('Notifications archived', ChangedNotifications),
  }),
  following: endpoint({
    method: 'GET',
    path: '/api/tasks/:id/follow',
    summary: 'Get whether you follow a task',
    description:
      'Its creator, its assignees, and members who have commented or were mentioned follow it by themselves.',
    isAddition: true,
    access: memberAccess('task:read'),
    pathParams: taskPath,
    targets: onTask,
    success: ok('Following retrieved', TaskFollowing),
    errors: ['not_found'],
  }),
  follow: endpoint({
    method: 'PUT',
    path: '/api/tasks/:id/follow',
    summary: 'Follow a task',
    isAddition: true,
    access: memberAccess('task:read'),
    keys: 'refused',
    effect: 'change',
    pathParams: taskPath,
    targets: onTask,
    success: ok('You follow the task', TaskFollowing),
    errors: ['not_found'],
  }),
  unfollow: endpoint({
    method: 'DELETE',
    path: '/api/tasks/:id/follow',
    summary: 'Stop following a task',
    description:
      'Until you follow it again, whatever happens. Mentions and assignments still come.',
    isAddition: true,
    access: memberAccess('task:read'),
    keys: 'refused',
    effect: 'remove',
    pathParams: taskPath,
    targets: onTask,
    success: ok('You no longer follow the task', TaskFollowing),
    errors: ['not_found'],
  }),
  followers: endpoint({
    method: 'GET',
    path: '/api/tasks/:id/followers',
    summary: 'List the members who follow a task',
    isAddition: true,
    access: memberAccess('task:read'),
    pathParams: taskPath,
    query: cursorList,
    list: { order: ['id'] },
    targets: onTask,
    success: ok('Followers retrieved', FollowerPage),
    errors: ['not_found'],
  }),
  preferences: endpoint({
    method: 'GET',
    path: '/api/notification-preferences',
    summary: 'Get what you are notified of',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    etag: true,
    success: ok('Preferences retrieved', NotificationPreferences),
  }),
  setPreferences: endpoint({
    method: 'PUT',
    path: '/api/notification-preferences',
    summary: 'Set what you are notified of',
    description: 'Counts for what happens from now on.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    ifMatch: true,
    body: NotificationPreferencesBody,
    success: ok('Preferences updated', NotificationPreferences),
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/api/notifications/unsubscribe',
    summary: 'Switch off a kind of mail',
    description:
      'With the token of a mail, without signing in. Mail programs send it for one click (RFC 8058), with a form that is not read. Always responds 200, which discloses nothing about the token.',
    isAddition: true,
    access: publicAccess,
    effect: 'change',
    rateLimit: 'none',
    toleratesAnyBody: true,
    query: z.object({ token: verbatimText({ max: 512 }).optional() }),
    success: withoutData('You get no such mails any more'),
  }),
};
