import type { Task, TaskPositionBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { changesBetween } from '../../../kernel/changes.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertMayUse } from '../../../kernel/permissions.ts';
import { anchorOf, type Anchor } from '../../../domain/ranks/ranks.ts';
import { mutate } from '../../../domain/transaction.ts';
import {
  aboutTask,
  lockForMove,
  positionOfLocked,
  presentEdited,
} from '../../../domain/task-changes/changing.ts';
import { completionIn } from '../policy.ts';
import { hasTask } from '../queries.ts';
import { updateTask } from '../../../domain/task-changes/queries.ts';
import { presentTask } from '../../../domain/task-view/present.ts';
import type { TaskRow } from '../../../domain/task-view/queries.ts';
import { countUpdates } from '../subtasks/parents.ts';
import { noteMove, targetInColumn, type Target } from './queries.ts';

/** Moves tasks within and between the columns of their board. */
export function orderingUseCases({ db, clock, store }: Deps) {
  return {
    /**
     * Moves a task. No-op when its place is unchanged.
     *
     * @throws Failure `not_found` (404) also for an unknown neighbour, `conflict` (409) for one in
     *   another column, `precondition_failed` (412)
     */
    async move(
      id: string,
      body: z.output<typeof TaskPositionBody>,
      ctx: MemberContext,
    ): Promise<Task> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForMove(tx, { id, ctx, store });
        const { organizationId, projectId } = current;
        const parentId = current.parent?.id ?? null;
        const from = {
          column: { organizationId, projectId, status: current.status },
          rank: current.rank,
        };
        const column = { ...from.column, status: body.status ?? current.status };
        const isSameColumn = column.status === current.status;

        const anchor = anchorOf(body);
        const standing = isSameColumn ? current.rank : null;
        const target = await targetInColumn(tx, column, { anchor, standing });
        if (target === null) throw await noNeighbour(tx, organizationId, { id, anchor });
        assertMayUse(ctx, 'body.beforeId', 'body.afterId');
        const { rank, isRenewed, isOneSection } = target;
        if (rank === standing && !isRenewed) return presentTask(store, current);

        const now = clock.now();
        const completedAt = completionIn(column.status, { completedAt: current.completedAt, now });
        const { status } = column;
        const sent = [
          updateTask(tx, current, { status, rank, completedAt, updatedAt: now }),
          noteMove(tx, { from, to: { column, rank }, isOneSection }),
          ...countUpdates(tx, organizationId, {
            before: { parentId, status: current.status },
            after: { parentId, status },
          }).map((count) => count()),
        ];
        const besideNeighbour = positionBeside(target, { anchor, current, isSameColumn });
        // Any other position depends on the changes.
        if (besideNeighbour === null) await Promise.all(sent);
        const position = besideNeighbour ?? (await positionOfLocked(tx, current));
        const recorded = recordActivity(tx, {
          ...aboutTask(current, ctx, now),
          action: 'task.move',
          changes: changesBetween(current, { status, position }),
          metadata: { projectId },
        });
        await Promise.all([...sent, recorded]);
        return presentEdited(current, { status, completedAt, position }, { store, now });
      });
    },
  };
}

/** The position that a task will have beside its neighbour, by those that both have now; null without a neighbour. */
function positionBeside(
  { neighbourPosition }: Target,
  { anchor, current, isSameColumn }: { anchor: Anchor; current: TaskRow; isSameColumn: boolean },
): number | null {
  if (neighbourPosition === null) return null;
  // Its old place is before the neighbour.
  const closedGap = isSameColumn && current.position < neighbourPosition ? 1 : 0;
  return neighbourPosition + ('beforeId' in anchor ? 0 : 1) - closedGap;
}

/**
 * Explains why a task can't be put beside its neighbour, which isn't another task of the column.
 *
 * @returns `not_found` (404) unless it is another task, else `conflict` (409)
 */
async function noNeighbour(
  tx: Transaction,
  organizationId: string,
  { id, anchor }: { id: string; anchor: Anchor },
): Promise<Failure> {
  if ('position' in anchor) throw new Error('unreachable: every column has every position');
  const neighbourId = 'beforeId' in anchor ? anchor.beforeId : anchor.afterId;
  if (neighbourId === id || !(await hasTask(tx, { organizationId, id: neighbourId }))) {
    return new Failure('not_found');
  }
  return new Failure('conflict', { message: 'The neighbour stands in another column' });
}
