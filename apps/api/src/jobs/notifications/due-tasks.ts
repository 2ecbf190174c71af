import { keepOrganizationRow } from '../../domain/authority/queries.ts';
import type { JobDeps } from '../job-deps.ts';
import { deliver } from './deliver.ts';
import { listDueTasks, noteDueTasks, type DueTask } from './queries/due.ts';
import { serviceEvent, type Concern } from './policy.ts';
import { findFollowers, findRecipients } from './queries/entries.ts';

/** Tasks per statement. */
const batchTasks = 500;

/** Tells followers of tasks that are due within a day, or have become overdue; of each due date once. Idempotent. */
export async function noticeDueTasks({ db, clock }: Pick<JobDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  for (;;) {
    const due = await listDueTasks(db, { now, limit: batchTasks });
    if (due.length === 0) return;
    const byOrganization = Map.groupBy(due, ({ organizationId }) => organizationId);
    for (const [organizationId, tasks] of byOrganization) {
      await db.transaction(async (tx) => {
        // A deletion of the organization would miss entries that are not yet committed.
        await keepOrganizationRow(tx, organizationId);
        const noted = await noteDueTasks(tx, organizationId, tasks);
        const taskIds = noted.map(({ taskId }) => taskId);
        const { followers, muted } = await findFollowers(tx, organizationId, taskIds);
        const concerns = noted.flatMap((task) =>
          concernsOf(task, {
            followers: [...(followers.get(task.taskId)?.keys() ?? [])],
            muted: muted.get(task.taskId) ?? new Set(),
            now,
          }),
        );
        const userIds = new Set(concerns.map(({ userId }) => userId));
        if (userIds.size === 0) return;
        const { members } = await findRecipients(tx, organizationId, [...userIds]);
        const wanted = concerns.filter(({ userId }) => members.has(userId));
        await deliver(tx, organizationId, { concerns: wanted, now });
      });
    }
    if (due.length < batchTasks) return;
  }
}

function concernsOf(
  { taskId, reason }: DueTask,
  {
    followers,
    muted,
    now,
  }: { followers: readonly string[]; muted: ReadonlySet<string>; now: Date },
): Concern[] {
  const event = serviceEvent(now);
  return followers
    .filter((userId) => !muted.has(userId))
    .map((userId) => ({ userId, reason, taskId, subjectId: null, commentId: null, event }));
}
