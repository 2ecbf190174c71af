import type { Task } from '@atelier/contract';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { assertMayUse } from '../../../kernel/permissions.ts';
import { mutate } from '../../../domain/transaction.ts';
import { aboutTask, lockForChange, presentChanged } from '../../../domain/task-changes/changing.ts';
import { updateTask } from '../../../domain/task-changes/queries.ts';
import { presentTask } from '../../../domain/task-view/present.ts';
import { replaceAssignees } from './replace.ts';

/** Manages the assignees of tasks. */
export function assignmentUseCases({ db, clock, store }: Deps) {
  return {
    /**
     * Replaces the assignees of a task. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `assignee_not_member` (400), `precondition_failed` (412)
     */
    async assign(id: string, assigneeIds: readonly string[], ctx: MemberContext): Promise<Task> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, { id, ctx, store });
        const before = current.assignees.map((person) => person.id);
        const now = clock.now();
        const { added, removed } = await replaceAssignees(tx, {
          organizationId: current.organizationId,
          taskId: id,
          before,
          after: assigneeIds,
          now,
        });
        assertMayUse(ctx, 'body.assigneeIds');
        if (added.length === 0 && removed.length === 0) return presentTask(store, current);
        return presentChanged(tx, current, {
          store,
          changes: [
            () => updateTask(tx, current, { updatedAt: now }),
            () =>
              recordActivity(tx, {
                ...aboutTask(current, ctx, now),
                action: 'task.assign',
                changes: [{ field: 'assigneeIds', from: before, to: assigneeIds }],
                metadata: { projectId: current.projectId, added, removed },
              }),
          ],
        });
      });
    },
  };
}
