import type { Executor } from '../db/executor.ts';
import { enqueueJobs } from './job-queue.ts';

/**
 * Enqueues a mail to each new assignee of a task except the assigning user. Call it in the
 * transaction of the assignment.
 *
 * @param assignment - `assigneeIds` contains new assignees only
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

/** Enqueues a mail to each person that a comment mentions. Call it in the transaction that writes it. */
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
