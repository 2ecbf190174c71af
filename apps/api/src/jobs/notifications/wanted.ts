import { settingIn, type NotificationPreferences } from '@atelier/contract';
import type { NotificationRow } from '../../domain/notifications/queries/inbox.ts';

/** Whether a notification still holds, and its person still wants mail about it. */
export function isWantedInMail(
  row: NotificationRow,
  preferences: NotificationPreferences,
): boolean {
  return settingIn(preferences, row.reason, row.organizationId).mail !== 'OFF' && hasComment(row);
}

/** Of several comments, others are there if the newest was deleted. */
function hasComment({ reason, comment, eventCount }: NotificationRow): boolean {
  const isOfComment = reason === 'mentioned' || reason === 'commented';
  return !isOfComment || comment !== null || eventCount > 1;
}
