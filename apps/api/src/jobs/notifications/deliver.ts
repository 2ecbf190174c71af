import { settingIn, type NotificationReason } from '@atelier/contract';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import type { Transaction } from '../../db/executor.ts';
import { enqueueJobsOnce } from '../../domain/job-queue.ts';
import { findPreferencesOf } from '../../domain/notification-preferences/queries.ts';
import { newId } from '../../kernel/ids.ts';
import { entriesOf, type Concern, type Entry, type WantedConcern } from './policy.ts';
import { takeSequences } from '../../domain/notifications/queries/sequences.ts';
import { insertEntries, joinEntries, type NumberedEntry } from './queries/entries.ts';

/** How long after an event it is mailed, in milliseconds: what is read by then is not. */
const mailDelayMs = 60_000;

/** These have mails of their own, sent at once. */
const mailedElsewhere: ReadonlySet<NotificationReason> = new Set([
  'invited',
  'integration_failing',
]);

/** Puts what concerns people into their inboxes as they prefer, and enqueues the mails. */
export async function deliver(
  tx: Transaction,
  organizationId: string,
  { concerns, now }: { concerns: readonly Concern[]; now: Date },
): Promise<void> {
  if (concerns.length === 0) return;
  const wanted = await wantedOf(tx, organizationId, concerns);
  if (wanted.length === 0) return;
  const numbered = await numberedOf(tx, entriesOf(wanted, now));
  const joined = await joinEntries(
    tx,
    organizationId,
    numbered.filter(({ entry }) => entry.mayJoin),
  );
  const others = numbered.filter(({ id }) => !joined.has(id));
  await insertEntries(tx, organizationId, { entries: others, now });
  await enqueueJobsOnce(tx, new Date(now.getTime() + mailDelayMs), {
    name: 'send_notification_mail',
    jobs: mailJobsOf(organizationId, numbered),
  });
  const userIds = new Set(wanted.map(({ userId }) => userId));
  for (const userId of userIds) announceAfterCommit(tx, `inbox:${userId}`);
}

async function wantedOf(
  tx: Transaction,
  organizationId: string,
  concerns: readonly Concern[],
): Promise<WantedConcern[]> {
  const userIds = new Set(concerns.map(({ userId }) => userId));
  const preferences = await findPreferencesOf(tx, [...userIds]);
  return concerns.flatMap((concern) => {
    const ofPerson = preferences.get(concern.userId);
    const setting = ofPerson && settingIn(ofPerson, concern.reason, organizationId);
    if (!setting?.inbox) return [];
    const isMailed = mailedElsewhere.has(concern.reason) && setting.mail === 'INSTANT';
    return [{ ...concern, mail: isMailed ? 'OFF' : setting.mail }];
  });
}

async function numberedOf(tx: Transaction, entries: readonly Entry[]): Promise<NumberedEntry[]> {
  const counts = new Map<string, number>();
  for (const { userId } of entries) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  const next = await takeSequences(tx, counts);
  return entries.map((entry) => {
    const sequence = next.get(entry.userId) ?? 0;
    next.set(entry.userId, sequence + 1);
    return { id: newId(), sequence, entry };
  });
}

/** One for each person and subject: its mail has all that is unread by then. */
function mailJobsOf(organizationId: string, numbered: readonly NumberedEntry[]) {
  const instant = numbered.filter(({ entry }) => entry.mail === 'INSTANT' && !entry.isOld);
  const jobs = instant.map(({ entry: { userId, taskId, subjectId } }) => ({
    key: `send_notification_mail:${userId}:${organizationId}:${taskId ?? subjectId ?? ''}`,
    payload: { userId, organizationId, taskId, subjectId },
  }));
  return [...new Map(jobs.map((job) => [job.key, job])).values()];
}
