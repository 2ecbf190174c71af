import type { CreateTaskBody, Task, UpdateTaskBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { recordActivity } from '../../domain/activity.ts';
import type { ReaderContext, MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { assertMayUse } from '../../kernel/permissions.ts';
import { fold } from '../../domain/folding.ts';
import { mutate } from '../../domain/transaction.ts';
import { replaceAssignees } from './assignment/replace.ts';
import {
  aboutTask,
  lockForChange,
  lockForMove,
  positionOfLocked,
  presentChanged,
  presentEdited,
} from '../../domain/task-changes/changing.ts';
import { noteMove, rankAtColumnEnd } from './ordering/queries.ts';
import { completionIn, recordedChanges, type Editable } from './policy.ts';
import { deleteTask, insertTask, lockProject, takeTaskNumber } from './queries.ts';
import { assertMayHaveParent, countUpdates } from './subtasks/parents.ts';
import { releaseSubtasks } from './subtasks/queries.ts';
import { updateTask } from '../../domain/task-changes/queries.ts';
import { presentTask } from '../../domain/task-view/present.ts';
import { findTask, type TaskRow } from '../../domain/task-view/queries.ts';

/** Manages single tasks of the selected organization. */
export function taskUseCases({ db, clock, store }: Deps) {
  return {
    /** @throws Failure `not_found` (404) */
    async get(id: string, ctx: ReaderContext): Promise<Task> {
      const row = await findTask(db, { organizationId: ctx.organization.id, id });
      if (!row) throw new Failure('not_found');
      return presentTask(store, row);
    },

    /**
     * Adds a task to the end of a column. The task numbers of a project are consecutive; the number of
     * a deleted task is not reused.
     *
     * @throws Failure `not_found` (404) also for the parent, `project_archived` (409), `assignee_not_member` (400),
     *   `invalid_parent` (400), `too_many_subtasks` (409)
     */
    async create(
      projectId: string,
      body: z.output<typeof CreateTaskBody>,
      ctx: MemberContext,
    ): Promise<Task> {
      const organizationId = ctx.organization.id;
      const titleFolded = await fold(body.title);
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const project = await lockProject(tx, { organizationId, id: projectId });
        if (!project) throw new Failure('not_found');
        assertMayUse(ctx, 'params.projectId');
        if (project.status === 'ARCHIVED') throw new Failure('project_archived');
        const { parentId = null } = body;
        if (parentId !== null) {
          const candidate = { id: null, organizationId, projectId, subtaskCount: 0, parent: null };
          await assertMayHaveParent(tx, candidate, { parentId, ctx });
        }
        const now = clock.now();
        const column = { organizationId, projectId, status: body.status };
        const [rank, number] = await Promise.all([
          rankAtColumnEnd(tx, column),
          takeTaskNumber(tx, { organizationId, id: projectId }),
        ]);
        const task = {
          id: newId(),
          ...column,
          number,
          title: body.title,
          description: body.description ?? null,
          priority: body.priority,
          dueDate: dateOf(body.dueDate),
          rank,
          completedAt: completionIn(body.status, { completedAt: null, now }),
          createdBy: ctx.user.id,
          createdAt: now,
          updatedAt: now,
          parentId,
          subtaskCount: 0,
          completedSubtaskCount: 0,
        };
        await Promise.all([
          insertTask(tx, { ...task, titleFolded }),
          noteMove(tx, { from: null, to: { column, rank } }),
        ]);
        const { added } = await replaceAssignees(tx, {
          organizationId,
          taskId: task.id,
          before: [],
          after: body.assigneeIds ?? [],
          now,
        });
        assertMayUse(ctx, 'body.assigneeIds');
        const record = () =>
          recordActivity(tx, {
            ...aboutTask(task, ctx, now),
            action: 'task.create',
            changes: [{ field: 'title', from: null, to: task.title }],
            metadata: {
              projectId,
              number: task.number,
              assigneeIds: added,
              ...(parentId !== null && { parentId }),
            },
          });
        const counted = countUpdates(tx, organizationId, { before: null, after: task });
        return presentChanged(tx, task, { store, changes: [...counted, record] });
      });
    },

    /**
     * Changes fields of a task; a new status moves it to the end of that column. No-op when
     * unchanged.
     *
     * @throws Failure `not_found` (404) also for the parent, `precondition_failed` (412), `invalid_parent` (400),
     *   `too_many_subtasks` (409)
     */
    async update(
      id: string,
      body: z.output<typeof UpdateTaskBody>,
      ctx: MemberContext,
    ): Promise<Task> {
      const titleFolded = body.title === undefined ? undefined : await fold(body.title);
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const isInPlace = body.status === undefined && body.parentId === undefined;
        const lock = isInPlace ? lockForChange : lockForMove;
        const current = await lock(tx, { id, ctx, store });
        if (typeof body.parentId === 'string') {
          await assertMayHaveParent(tx, current, { parentId: body.parentId, ctx });
        }
        const [before, wanted] = [editableOf(current), wantedOf(current, body)];
        const changes = recordedChanges(before, wanted);
        if (changes.length === 0) return presentTask(store, current);
        const now = clock.now();
        const column = { ...columnOf(current), status: wanted.status };
        const isMoved = wanted.status !== current.status;
        const rank = isMoved ? await rankAtColumnEnd(tx, column) : current.rank;
        const completedAt = completionIn(wanted.status, { completedAt: current.completedAt, now });
        const from = { column: columnOf(current), rank: current.rank };
        const writes = [
          () =>
            updateTask(tx, current, {
              ...wanted,
              ...(titleFolded !== undefined && { titleFolded }),
              rank,
              completedAt,
              updatedAt: now,
            }),
          ...(isMoved ? [() => noteMove(tx, { from, to: { column, rank } })] : []),
          ...countUpdates(tx, current.organizationId, { before, after: wanted }),
          () =>
            recordActivity(tx, {
              ...aboutTask({ id, title: wanted.title }, ctx, now),
              action: 'task.update',
              changes,
              metadata: { projectId: current.projectId },
            }),
        ];
        const { parentId, ...edits } = wanted;
        if (parentId !== before.parentId) {
          return presentChanged(tx, current, { store, changes: writes });
        }
        const sent = writes.map((send) => send());
        const [position] = await Promise.all([
          isMoved ? positionOfLocked(tx, current) : current.position,
          ...sent,
        ]);
        return presentEdited(current, { ...edits, completedAt, position }, { store, now });
      });
    },

    /**
     * Deletes a task permanently, along with its comments. Its subtasks become tasks of their own.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412)
     */
    async remove(id: string, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForMove(tx, { id, ctx, store });
        const from = { column: columnOf(current), rank: current.rank };
        const subtaskIds = current.subtaskCount > 0 ? await releaseSubtasks(tx, current) : [];
        await Promise.all([
          deleteTask(tx, current),
          noteMove(tx, { from, to: null }),
          ...countUpdates(tx, current.organizationId, {
            before: editableOf(current),
            after: null,
          }).map((count) => count()),
          recordActivity(tx, {
            ...aboutTask(current, ctx, clock.now()),
            action: 'task.delete',
            metadata: {
              projectId: current.projectId,
              number: current.number,
              commentCount: current.commentCount,
              ...(subtaskIds.length > 0 && { subtaskIds }),
            },
          }),
        ]);
        return { id };
      });
    },
  };
}

function columnOf({ organizationId, projectId, status }: TaskRow) {
  return { organizationId, projectId, status };
}

function editableOf({ parent, ...task }: TaskRow): Editable {
  const { title, description, status, priority, dueDate } = task;
  return { title, description, status, priority, dueDate, parentId: parent?.id ?? null };
}

function wantedOf(current: TaskRow, body: z.output<typeof UpdateTaskBody>): Editable {
  return {
    title: body.title ?? current.title,
    description: body.description === undefined ? current.description : body.description,
    status: body.status ?? current.status,
    priority: body.priority ?? current.priority,
    dueDate: body.dueDate === undefined ? current.dueDate : dateOf(body.dueDate),
    parentId: body.parentId === undefined ? (current.parent?.id ?? null) : body.parentId,
  };
}

function dateOf(time: string | null | undefined): Date | null {
  return time ? new Date(time) : null;
}
