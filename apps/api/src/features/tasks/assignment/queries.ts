import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import { memberships, taskAssignees } from '../../../db/generated/schema.ts';

/** Selects the active members among the given users and locks their memberships until the transaction ends. */
export async function lockActiveMembers(
  tx: Transaction,
  { organizationId, userIds }: { organizationId: string; userIds: readonly string[] },
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const members = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.status, 'ACTIVE'),
        inArray(memberships.userId, [...userIds]),
      ),
    )
    .orderBy(asc(memberships.id))
    .for('share');
  return members.map(({ userId }) => userId);
}

interface Assignment {
  readonly organizationId: string;
  readonly taskId: string;
  readonly userIds: readonly string[];
}

export async function insertAssignees(
  tx: Transaction,
  { userIds, ...task }: Assignment & { readonly assignedAt: Date },
): Promise<void> {
  if (userIds.length === 0) return;
  await tx.insert(taskAssignees).values(userIds.map((userId) => ({ ...task, userId })));
}

export async function deleteAssignees(
  tx: Transaction,
  { organizationId, taskId, userIds }: Assignment,
): Promise<void> {
  if (userIds.length === 0) return;
  await tx
    .delete(taskAssignees)
    .where(
      and(
        eq(taskAssignees.organizationId, organizationId),
        eq(taskAssignees.taskId, taskId),
        inArray(taskAssignees.userId, [...userIds]),
      ),
    );
}
