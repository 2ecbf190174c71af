import type { Transaction } from '../../db/executor.ts';
import { notificationConsumer } from '../../domain/log-positions/queries.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Consumer } from '../follow/follow.ts';
import type { LogRow } from '../follow/queries.ts';
import { deliver } from './deliver.ts';
import { assetOf, concernsOf, mayConcern, taskOf, type Concern } from './policy.ts';
import {
  findFollowers,
  findFollowersOfAssets,
  findInvited,
  findRecipients,
  followAtOnce,
} from './queries/entries.ts';

/**
 * Puts what concerns members into their inboxes. Position and effect are one transaction, so each activity counts once.
 *
 * @see docs/decisions/0079-notifications.md
 */
export function notifyMembers({ clock }: { readonly clock: Clock }): Consumer {
  return {
    name: notificationConsumer,
    follows: 'every team',

    async take(tx, organizationId, rows) {
      const concerns = await concernsIn(tx, organizationId, rows.filter(mayConcern));
      await deliver(tx, organizationId, { concerns, now: clock.now() });
    },

    // Rows may be missing; what is told from now on is right.
    async restart() {},
  };
}

async function concernsIn(
  tx: Transaction,
  organizationId: string,
  rows: readonly LogRow[],
): Promise<Concern[]> {
  const taskIds = new Set(rows.map(taskOf).filter((id) => id !== null));
  const { followers, muted } = await findFollowers(tx, organizationId, [...taskIds]);
  const assetIds = new Set(rows.map(assetOf).filter((id) => id !== null));
  const ofAssets = await findFollowersOfAssets(tx, organizationId, [...assetIds]);
  const invitations = rows.filter(({ action }) => action === 'invitation.create');
  const invited = await findInvited(
    tx,
    organizationId,
    invitations.map(({ resourceId }) => resourceId),
  );
  const concerns: Concern[] = [];
  for (const row of rows) {
    const taskId = taskOf(row);
    const ofTask = followers.get(taskId ?? '') ?? new Map<string, Date>();
    const found = concernsOf(row, {
      followers: ofAssets.get(assetOf(row) ?? '') ?? ofTask,
      invited,
    });
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
    reason === 'removed' || reason === 'invited' ? persons.has(userId) : members.has(userId),
  );
  await followAtOnce(
    tx,
    organizationId,
    wanted.filter(({ reason, taskId }) => taskId !== null && beginsToFollow(reason)),
  );
  return wanted;
}

/** Also assignees: they may be others by the time at which a later activity is taken. */
function beginsToFollow(reason: Concern['reason']): boolean {
  return reason === 'mentioned' || reason === 'assigned';
}
