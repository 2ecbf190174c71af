import type { Executor } from '../db/executor.ts';
import { enqueueJobs } from './job-queue.ts';

/**
 * Has everybody who was assigned to a task told by mail, but not who assigned them. To be called in the
 * transaction that assigns.
 *
 * @param assignment - `assigneeIds` are those who were not assigned before
 */
export async function enqueueAssignmentNotices(
  tx: Executor,
  assignment: {
    readonly organizationId: string;
    readonly taskId: string;
    readonly assigneeIds: readonly string[];
    readonly actorId: string;
  },
): Promise<void> {
  const { organizationId, taskId, assigneeIds, actorId } = assignment;
  const others = [...new Set(assigneeIds)].filter((userId) => userId !== actorId);
  await enqueueJobs(
    tx,
    'send_assignment_notice',
    others.map((userId) => ({ organizationId, taskId, userId, actorId })),
  );
}

/** Has everybody whom a comment mentions told by mail. To be called in the transaction that writes it. */
export async function enqueueMentionNotices(
  tx: Executor,
  mention: {
    readonly organizationId: string;
    readonly taskId: string;
    readonly commentId: string;
    readonly userIds: readonly string[];
  },
): Promise<void> {
  const { organizationId, taskId, commentId, userIds } = mention;
  await enqueueJobs(
    tx,
    'send_mention_notice',
    userIds.map((userId) => ({ organizationId, taskId, commentId, userId })),
  );
}
