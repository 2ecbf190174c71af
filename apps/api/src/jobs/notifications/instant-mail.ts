import type { NotificationPreferences } from '@atelier/contract';
import { findPreferences } from '../../domain/notification-preferences/queries.ts';
import {
  listNotifications,
  type NotificationRow,
} from '../../domain/notifications/queries/inbox.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { findVerifiedEmail } from '../queries.ts';
import {
  findProjectName,
  isAssigned,
  returnMailSlot,
  setMail,
  takeMailSlot,
} from './queries/mails.ts';
import { subjectMail } from './mails.ts';
import { isWantedInMail } from './wanted.ts';

/** Maximum number of mails at once to a person within an hour; the digest has the rest. */
const maxPerHour = 30;

const wholeSubject = { limit: 51, offset: 0, after: null };

type Deps = Pick<JobDeps, 'db' | 'clock' | 'mailer' | 'appUrl' | 'apiUrl' | 'unsubscribeTokens'>;

/** Mails what is unread about a subject, and may still be read, as one mail. */
export async function sendNotificationMail(
  deps: Deps,
  job: Jobs['send_notification_mail'],
): Promise<void> {
  const { db, clock, mailer } = deps;
  const { userId, organizationId, taskId, subjectId = null } = job;
  const now = clock.now();
  const email = await findVerifiedEmail(db, userId);
  if (email === null) return;
  const { rows } = await listNotifications(
    db,
    {
      scope: { userId, now, organizationId, taskId, subjectId },
      conditions: [
        'forInstantMail',
        'isUnread',
        'isKept',
        'isAwake',
        'organizationId',
        'ofSubject',
      ],
    },
    wholeSubject,
  );
  const preferences = await findPreferences(db, userId);
  const wanted = await wantedOf(db, { job, rows, preferences });
  const sequences = rows.map(({ sequence }) => sequence);
  const [newest, ...others] = wanted;
  if (!newest) return setMail(db, { userId, sequences, mail: null });
  const slot = { userId, now };
  if (!(await takeMailSlot(db, { ...slot, max: maxPerHour }))) {
    return setMail(db, { userId, sequences, mail: 'DIGEST' });
  }
  const { projectId, reason } = newest;
  const projectName =
    projectId === null ? null : await findProjectName(db, { organizationId, projectId });
  const unsubscribeToken = deps.unsubscribeTokens.make({ userId, reason, organizationId });
  const mail = subjectMail([newest, ...others], {
    to: email,
    projectName,
    appUrl: deps.appUrl,
    apiUrl: deps.apiUrl,
    unsubscribeToken,
  });
  try {
    await mailer.send(mail);
  } catch (error) {
    await returnMailSlot(db, slot);
    throw error;
  }
  await setMail(db, { userId, sequences, mail: null });
}

/** What still holds, and is still to be mailed at once. */
async function wantedOf(
  db: Deps['db'],
  {
    job: { organizationId, taskId, userId },
    rows,
    preferences,
  }: {
    job: Jobs['send_notification_mail'];
    rows: readonly NotificationRow[];
    preferences: NotificationPreferences;
  },
): Promise<NotificationRow[]> {
  const still = rows.filter((row) => isWantedInMail(row, preferences));
  if (taskId === null || !still.some(({ reason }) => reason === 'assigned')) return still;
  const isStillAssigned = await isAssigned(db, { organizationId, taskId, userId });
  return still.filter(({ reason }) => reason !== 'assigned' || isStillAssigned);
}
