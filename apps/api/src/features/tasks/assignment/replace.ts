import type { Transaction } from '../../../db/executor.ts';
import { enqueueAssignmentNotices } from '../../../domain/notices.ts';
import { Failure } from '../../../kernel/errors.ts';
import { deleteAssignees, insertAssignees, lockActiveMembers } from './queries.ts';

interface Replacement {
  readonly organizationId: string;
  readonly taskId: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The assigning user, who gets no mail. */
  readonly actorId: string;
  readonly now: Date;
}

/**
 * Replaces the assignees of a task and mails the new ones.
 *
 * @returns the users who weren't assigned before, and those who no longer are
 * @throws Failure `assignee_not_member` (400) unless all are active members
 */
export async function replaceAssignees(
  tx: Transaction,
  { organizationId, taskId, before, after, actorId, now }: Replacement,
): Promise<{ added: string[]; removed: string[] }> {
  const members = await lockActiveMembers(tx, { organizationId, userIds: after });
  if (members.length < after.length) throw new Failure('assignee_not_member');
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  await deleteAssignees(tx, { organizationId, taskId, userIds: removed });
  await insertAssignees(tx, { organizationId, taskId, userIds: added, assignedAt: now });
  await enqueueAssignmentNotices(tx, { organizationId, taskId, assigneeIds: added, actorId });
  return { added, removed };
}
