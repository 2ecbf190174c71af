import type { NotificationReason, ReviewStatus } from '@atelier/contract';
import type { NotificationRow } from '../../domain/notifications/queries/inbox.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import { quoted } from '../quoted.ts';

/** What a mail says of a notification; every part is safe in a mail. */
export interface Told {
  /** What happened, as a sentence without its full stop. */
  readonly sentence: string;
  /** Null: the organization lets mails say no titles. */
  readonly title: string | null;
  readonly organization: string;
  /** The start of the comment; null: there is none, or mails don't have it. */
  readonly excerpt: string | null;
}

/** Says what happened, as much as the organization lets its mails disclose. */
export function toldOf(row: NotificationRow): Told {
  const { mailContent, comment } = row;
  const title = row.taskTitle ?? row.assetName ?? row.shareTitle;
  return {
    sentence: sentences[row.reason](row),
    title: mailContent === 'NONE' || title === null ? null : quoted(title),
    organization: quoted(row.organizationName),
    excerpt: mailContent === 'FULL' && comment !== null ? quoted(comment) : null,
  };
}

/** Returns the subject of a mail about one reason, before the title. */
export function subjectOf({ reason, assetId }: NotificationRow): string {
  return reason === 'changed' && assetId !== null ? 'Review' : subjects[reason];
}

const subjects: Readonly<Record<NotificationReason, string>> = {
  mentioned: 'You were mentioned',
  assigned: 'Assigned to you',
  unassigned: 'No longer assigned to you',
  commented: 'New comment',
  changed: 'New status or due date',
  due_soon: 'Due soon',
  overdue: 'Overdue',
  invited: 'Invitation',
  role_changed: 'You have another role',
  removed: 'Your membership has ended',
  share_guessing: 'Your share needs attention',
  shared_opened: 'Your link was opened',
  integration_failing: 'An integration needs attention',
  security: 'Security of your account',
};

const sentences: Readonly<Record<NotificationReason, (row: NotificationRow) => string>> = {
  mentioned: (row) => `${actorOf(row)} mentioned you in a comment`,
  assigned: (row) => `${actorOf(row)} assigned a task to you`,
  unassigned: (row) => `${actorOf(row)} assigned a task of yours to others`,
  commented: (row) =>
    row.eventCount === 1
      ? `${actorOf(row)} commented on ${placeOf(row)}`
      : `There are ${row.eventCount} new comments on ${placeOf(row)}`,
  changed: (row) =>
    row.assetId === null
      ? `${actorOf(row)} changed the status or due date of a task`
      : `${actorOf(row)} ${reviewed[row.reviewStatus ?? 'NONE']} a file`,
  due_soon: () => 'A task is due within a day',
  overdue: () => 'A task is overdue',
  invited: (row) => `${actorOf(row)} asks you to join ${quoted(row.organizationName)}`,
  role_changed: (row) => `${actorOf(row)} gave you another role in ${quoted(row.organizationName)}`,
  removed: (row) => `Your membership in ${quoted(row.organizationName)} has ended`,
  share_guessing: () =>
    'Someone entered many wrong passwords for a link that you made, and is refused for a while',
  shared_opened: () => 'A link that you made was opened for the first time',
  integration_failing: (row) =>
    `An integration of ${quoted(row.organizationName)} needs your attention`,
  security: () => 'Something about the security of your account has changed',
};

/** What one does to a file by setting a status; `NONE`: which one is no longer known. */
const reviewed: Readonly<Record<ReviewStatus, string>> = {
  NONE: 'changed the review of',
  IN_REVIEW: 'wants a review of',
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'asked for changes to',
};

function placeOf({ assetId }: NotificationRow): string {
  return assetId === null ? 'a task' : 'a file';
}

function actorOf({ actor, guestName }: NotificationRow): string {
  if (actor === null && guestName !== null) return `${quoted(guestName)} (a guest)`;
  return actor ? quoted(displayNameOf(actor)) : 'The service';
}
