import type { Task, TaskPositionBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../kernel/activity.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { anchorOf, type Anchor } from '../../../kernel/ranks.ts';
import { rankAt } from '../../../kernel/ranks/queries.ts';
import { mutate } from '../../../kernel/transaction.ts';
import { aboutTask, lockForMove, presentChanged } from '../changing.ts';
import { completionIn } from '../policy.ts';
import { columnOf, updateTask } from '../queries.ts';
import { presentTask } from '../view/present.ts';
import { noteMove, rankedTasksOf, type Column } from './queries.ts';

/** Moving tasks within and between the columns of their board. */
export function orderingUseCases({ db, clock, store }: Deps) {
  return {
    /**
     * Moves a task; to where it stands changes nothing.
     *
     * @throws Failure `not_found` (404) also for a neighbour that isn't there, `conflict` (409) for one in
     *   another column, `precondition_failed` (412)
     */
    async move(
      id: string,
      body: z.output<typeof TaskPositionBody>,
      ctx: MemberContext,
    ): Promise<Task> {
      return mutate({ db, ctx }, async (tx) => {
        const current = await lockForMove(tx, { id, permission: 'task:edit', ctx, store });
        const { organizationId, projectId } = current;
        const from = {
          column: { organizationId, projectId, status: current.status },
          rank: current.rank,
        };
        const column = { ...from.column, status: body.status ?? current.status };
        const isSameColumn = column.status === current.status;

        const anchor = anchorOf(body);
        await assertNeighbourIn(tx, column, { id, anchor });
        const standing = isSameColumn ? current.rank : null;
        const rank = await rankAt(tx, rankedTasksOf(column), { anchor, standing });
        if (rank === null)
          throw new Error('The neighbour is there, and nobody else moves tasks now');
        if (rank === standing) return presentTask(store, current);

        const now = clock.now();
        const completedAt = completionIn(column.status, { completedAt: current.completedAt, now });
        await updateTask(tx, current, { status: column.status, rank, completedAt, updatedAt: now });
        await noteMove(tx, { from, to: { column, rank } });
        const moved = await presentChanged(tx, current, store);
        await recordActivity(tx, {
          ...aboutTask(current, ctx, now),
          action: 'task.move',
          changes: [
            { field: 'status', from: current.status, to: moved.status },
            { field: 'position', from: current.position, to: moved.position },
          ].filter((change) => change.from !== change.to),
          metadata: { projectId },
        });
        return moved;
      });
    },
  };
}

/** @throws Failure `not_found` (404) unless it is another task, `conflict` (409) unless of the column */
async function assertNeighbourIn(
  tx: Transaction,
  column: Column,
  { id, anchor }: { id: string; anchor: Anchor },
): Promise<void> {
  if ('position' in anchor) return;
  const neighbourId = 'beforeId' in anchor ? anchor.beforeId : anchor.afterId;
  const { organizationId } = column;
  const standsIn =
    neighbourId === id ? null : await columnOf(tx, { organizationId, id: neighbourId });
  if (!standsIn) throw new Failure('not_found');
  if (standsIn.projectId === column.projectId && standsIn.status === column.status) return;
  throw new Failure('conflict', { message: 'The neighbour stands in another column' });
}
