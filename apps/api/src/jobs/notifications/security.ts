import { announceAfterCommit } from '../../db/session/after-commit.ts';
import { takeSequences } from '../../domain/notifications/queries/sequences.ts';
import type { AccountEvent } from '../../domain/notifications/account-events.ts';
import type { JobDeps } from '../job-deps.ts';
import { serviceEvent } from './policy.ts';
import { insertEntries } from './queries/entries.ts';
import { findPersonal } from './queries/personal.ts';

/**
 * Puts what happened to the security of an account into the inbox of its person, also what they did themselves. Always on, and of each
 * event one entry: the id comes from the transaction of the event, so that a repeated job changes nothing.
 *
 * @param notificationId - undefined: the job was enqueued by a release without these entries
 */
export async function tellOfSecurity(
  { db, clock }: Pick<JobDeps, 'db' | 'clock'>,
  {
    userId,
    notificationId,
    event,
    at,
  }: {
    userId: string;
    notificationId: string | undefined;
    event: AccountEvent;
    at?: string | undefined;
  },
): Promise<void> {
  if (notificationId === undefined) return;
  const organizationId = await findPersonal(db, userId);
  if (organizationId === null) return;
  const now = clock.now();
  const happenedAt = at === undefined ? now : new Date(at);
  await db.transaction(async (tx) => {
    const sequences = await takeSequences(tx, new Map([[userId, 1]]));
    const entry = {
      userId,
      reason: 'security' as const,
      taskId: null,
      subjectId: null,
      securityEvent: event,
      commentId: null,
      // Its mail is one of its own.
      mail: 'OFF' as const,
      firstAt: happenedAt,
      newest: serviceEvent(happenedAt),
      eventCount: 1,
      isOld: false,
      mayJoin: false,
    };
    const numbered = { id: notificationId, sequence: sequences.get(userId) ?? 0, entry };
    await insertEntries(tx, organizationId, { entries: [numbered], now });
    announceAfterCommit(tx, `inbox:${userId}`);
  });
}
