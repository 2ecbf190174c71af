import type { NotificationRow } from '../../../domain/notifications/queries/inbox.ts';

/** A mention of `user` in task `2` of project `1`; all its texts are this one. */
export const someNotification = (name: string): NotificationRow => ({
  id: 'notification',
  organizationId: 'organization',
  organizationName: name,
  mailContent: 'FULL',
  reason: 'mentioned',
  sequence: 1,
  activityId: null,
  eventCount: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  readAt: null,
  archivedAt: null,
  snoozedUntil: null,
  userId: 'user',
  taskId: '2',
  taskTitle: name,
  invitationId: null,
  webhook: null,
  apiKey: null,
  securityEvent: null,
  projectId: '1',
  comment: name,
  actor: { id: 'eve', email: 'eve@example.com', firstName: name, lastName: null },
});
