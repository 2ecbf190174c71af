import type { Transaction } from '../../../db/executor.ts';
import { Failure } from '../../../kernel/errors.ts';
import { deleteAssignees, insertAssignees, lockActiveMembers } from './queries.ts';

interface Replacement {
  readonly organizationId: string;
  readonly taskId: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly now: Date;
}

/**
 * Replaces the assignees of a task.
 *
 * @returns the users who weren't assigned before, and those who no longer are
 * @throws Failure `assignee_not_member` (400) unless all are active members
 */
export async function replaceAssignees(
  tx: Transaction,
  { organizationId, taskId, before, after, now }: Replacement,
): Promise<{ added: string[]; removed: string[] }> {
  const members = await lockActiveMembers(tx, { organizationId, userIds: after });
  if (members.length < after.length) throw new Failure('assignee_not_member');
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  await deleteAssignees(tx, { organizationId, taskId, userIds: removed });
  await insertAssignees(tx, { organizationId, taskId, userIds: added, assignedAt: now });
  return { added, removed };
}
