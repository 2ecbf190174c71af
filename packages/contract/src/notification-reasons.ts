import { z } from 'zod/v4';

/** Why a person is notified. */
export const notificationReasons = [
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
] as const;

export const NotificationReason = z.enum(notificationReasons).meta({
  id: 'NotificationReason',
  description:
    'Why the person is notified. `commented` and `changed` are about tasks and assets that they follow (status or due date of a task, review of an asset), `due_soon` (a day before) and `overdue` about such tasks of teams; `role_changed` and `removed` about their own membership; `share_guessing` and `shared_opened` about a share of theirs, whose password is being guessed, or whose link was opened for the first time; `integration_failing` about a webhook that fails or an API key that ends; `security` about their own account.',
  examples: ['mentioned'],
});
export type NotificationReason = z.infer<typeof NotificationReason>;
