import { announceAfterCommit } from '../../db/session/after-commit.ts';
import type { Transaction } from '../../db/executor.ts';
import { newId } from '../../kernel/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Consumer } from '../follow/follow.ts';
import type { LogRow } from '../follow/queries.ts';
import { concernsOf, entriesOf, mayConcern, taskOf, type Concern, type Entry } from './policy.ts';
import {
  findFollowers,
  findRecipients,
  followAtOnce,
  insertEntries,
  joinEntries,
  takeSequences,
  type NumberedEntry,
} from './queries.ts';

/**
 * Puts what concerns members into their inboxes. Position and effect are one transaction, so each activity counts once.
 *
 * @see docs/decisions/0079-notifications.md
 */
export function notifyMembers({ clock }: { readonly clock: Clock }): Consumer {
  return {
    name: 'notifications',
    follows: 'every team',

    async take(tx, organizationId, rows) {
      const concerns = await concernsIn(tx, organizationId, rows.filter(mayConcern));
      if (concerns.length === 0) return;
      const now = clock.now();
      const numbered = await numberedOf(tx, entriesOf(concerns, now));
      const joined = await joinEntries(tx, organizationId, numbered.filter(mayJoin));
      const others = numbered.filter(({ id }) => !joined.has(id));
      await insertEntries(tx, organizationId, { entries: others, now });
      const userIds = new Set(concerns.map(({ userId }) => userId));
      for (const userId of userIds) announceAfterCommit(tx, `inbox:${userId}`);
    },

    // Rows may be missing; what is told from now on is right.
    async restart() {},
  };
}

const mayJoin = ({ entry }: NumberedEntry) => entry.mayJoin;

async function concernsIn(
  tx: Transaction,
  organizationId: string,
  rows: readonly LogRow[],
): Promise<Concern[]> {
  const taskIds = new Set(rows.map(taskOf).filter((id) => id !== null));
  const { followers, muted } = await findFollowers(tx, organizationId, [...taskIds]);
  const concerns: Concern[] = [];
  for (const row of rows) {
    const taskId = taskOf(row);
    const ofTask = followers.get(taskId ?? '') ?? new Map<string, Date>();
    const found = concernsOf(row, ofTask);
    concerns.push(...found);
    if (taskId === null) continue;
    followers.set(taskId, ofTask);
    for (const { reason, userId } of found) {
      const isMuted = muted.get(taskId)?.has(userId) ?? false;
      if (beginsToFollow(reason) && !isMuted) ofTask.set(userId, new Date(0));
    }
  }
  if (concerns.length === 0) return [];
  const userIds = [...new Set(concerns.map(({ userId }) => userId))];
  const { persons, members } = await findRecipients(tx, organizationId, userIds);
  const wanted = concerns.filter(({ userId, reason }) =>
    reason === 'removed' ? persons.has(userId) : members.has(userId),
  );
  await followAtOnce(
    tx,
    organizationId,
    wanted.filter(({ reason }) => beginsToFollow(reason)),
  );
  return wanted;
}

/** Also assignees: they may be others by the time at which a later activity is taken. */
function beginsToFollow(reason: Concern['reason']): boolean {
  return reason === 'mentioned' || reason === 'assigned';
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
