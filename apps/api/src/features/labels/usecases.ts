import {
  Label,
  maxLabels,
  type CreateLabelBody,
  type Task,
  type UpdateLabelBody,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { aboutResource, recordActivity } from '../../domain/activity.ts';
import { changesBetween } from '../../kernel/changes.ts';
import { lockOrganization } from '../../domain/plan-limits/queries.ts';
import { aboutTask, lockForChange, presentChanged } from '../../domain/task-changes/changing.ts';
import { updateTask } from '../../domain/task-changes/queries.ts';
import { presentTask } from '../../domain/task-view/present.ts';
import { mutate } from '../../domain/transaction.ts';
import type { ReaderContext, MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { numberedWindowOf, paginationOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertMayTouch, assertMayUse } from '../../kernel/permissions.ts';
import {
  countLabels,
  deleteLabel,
  deleteTaskLabels,
  findLabel,
  insertLabel,
  insertTaskLabels,
  isNameTaken,
  keepLabels,
  listLabels,
  lockLabel,
  updateLabel,
  type LabelRow,
  type LabelSort,
} from './queries.ts';

interface LabelListRequest extends Omit<PageRequest, 'cursor'> {
  readonly q?: string | undefined;
  readonly sort: LabelSort;
}

const aboutLabel = aboutResource('label', ({ name }: { readonly name: string }) => name);

/** Manages the labels of the selected organization, and those that its tasks carry. */
export function labelUseCases({ db, clock, store }: Deps) {
  /**
   * Locks a label for the rest of the transaction and returns its current state.
   *
   * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
   */
  async function lockLabelForChange(
    tx: Transaction,
    id: string,
    ctx: MemberContext,
  ): Promise<LabelRow> {
    const current = await lockLabel(tx, { organizationId: ctx.organization.id, id });
    if (!current) throw new Failure('not_found');
    assertMayTouch(ctx, 'params.id', current);
    assertUnchanged(ctx, Label, present(current));
    return current;
  }

  return {
    async list({ q, sort, ...page }: LabelListRequest, ctx: ReaderContext) {
      const { rows, total } = await listLabels(
        db,
        { organizationId: ctx.organization.id, nameContains: q },
        { sort, ...numberedWindowOf(page) },
      );
      return { items: rows.map(present), pagination: paginationOf(page, total) };
    },

    /** @throws Failure `label_exists` or `too_many_labels` (409) */
    async create(
      { name, color }: z.output<typeof CreateLabelBody>,
      ctx: MemberContext,
    ): Promise<Label> {
      const organizationId = ctx.organization.id;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const now = clock.now();
        const label = { id: newId(), name, color, createdBy: ctx.user.id };
        const nameKey = nameKeyOf(name);
        await lockOrganization(tx, organizationId);
        await assertNameFree(tx, { organizationId, id: label.id, nameKey });
        if ((await countLabels(tx, organizationId)) >= maxLabels) {
          throw new Failure('too_many_labels');
        }
        const times = { createdAt: now, updatedAt: now };
        await insertLabel(tx, { organizationId, nameKey, ...label, ...times });
        await recordActivity(tx, {
          ...aboutLabel(label, ctx, now),
          action: 'label.create',
          changes: changesBetween({ name: null, color: null }, { name, color }),
        });
        return present({ ...label, taskCount: 0, ...times });
      });
    },

    /** @throws Failure `not_found` (404) */
    async get(id: string, ctx: MemberContext): Promise<Label> {
      const row = await findLabel(db, { organizationId: ctx.organization.id, id });
      if (!row) throw new Failure('not_found');
      return present(row);
    },

    /**
     * Renames or recolours a label. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `label_exists` (409), `precondition_failed` (412)
     */
    async update(
      id: string,
      wanted: z.output<typeof UpdateLabelBody>,
      ctx: MemberContext,
    ): Promise<Label> {
      const organizationId = ctx.organization.id;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        // Names are unique in it. Before the label, as everywhere: another order of locks would deadlock.
        if (wanted.name !== undefined) await lockOrganization(tx, organizationId);
        const current = await lockLabelForChange(tx, id, ctx);
        const { name = current.name, color = current.color } = wanted;
        const changes = changesBetween(current, { name, color });
        if (changes.length === 0) return present(current);
        const nameKey = nameKeyOf(name);
        if (name !== current.name) await assertNameFree(tx, { organizationId, id, nameKey });
        const updated = { ...current, name, color, updatedAt: clock.now() };
        await updateLabel(tx, { organizationId, nameKey, ...updated });
        await recordActivity(tx, {
          ...aboutLabel(updated, ctx, updated.updatedAt),
          action: 'label.update',
          changes,
        });
        return present(updated);
      });
    },

    /**
     * Deletes a label and removes it from its tasks.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
     */
    async remove(id: string, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockLabelForChange(tx, id, ctx);
        await deleteLabel(tx, { organizationId: ctx.organization.id, id });
        await recordActivity(tx, {
          ...aboutLabel(current, ctx, clock.now()),
          action: 'label.delete',
          metadata: { taskCount: current.taskCount },
        });
        return { id };
      });
    },

    /**
     * Replaces the labels of a task. No-op when unchanged.
     *
     * @throws Failure `not_found` (404) for the task or a label, `precondition_failed` (412)
     */
    async set(taskId: string, labelIds: readonly string[], ctx: MemberContext): Promise<Task> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, { id: taskId, ctx, store });
        const { organizationId } = current;
        const wanted = await keepLabels(tx, { organizationId, labelIds });
        if (wanted.length < labelIds.length) throw new Failure('not_found');
        assertMayUse(ctx, 'body.labelIds');
        const before = current.labels.map(({ id }) => id);
        const added = labelIds.filter((id) => !before.includes(id));
        const removed = before.filter((id) => !labelIds.includes(id));
        if (added.length === 0 && removed.length === 0) return presentTask(store, current);
        const now = clock.now();
        const task = { organizationId, taskId };
        await Promise.all([
          deleteTaskLabels(tx, { ...task, labelIds: removed }),
          insertTaskLabels(tx, { ...task, labelIds: added }),
        ]);
        return presentChanged(tx, current, {
          store,
          changes: [
            () => updateTask(tx, current, { updatedAt: now }),
            () =>
              recordActivity(tx, {
                ...aboutTask(current, ctx, now),
                action: 'task.update',
                // Names, because a label may be deleted before its activities.
                changes: [{ field: 'labels', from: namesOf(current.labels), to: namesOf(wanted) }],
                metadata: { projectId: current.projectId, added, removed },
              }),
          ],
        });
      });
    },
  };
}

/**
 * The caller locks the organization.
 *
 * @throws Failure `label_exists` (409) when another label has the name
 */
async function assertNameFree(
  tx: Transaction,
  name: Parameters<typeof isNameTaken>[1],
): Promise<void> {
  if (await isNameTaken(tx, name)) throw new Failure('label_exists');
}

/** The name as it is compared. */
function nameKeyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function namesOf(labels: readonly { readonly name: string }[]): string[] {
  return labels.map(({ name }) => name);
}

function present({ createdAt, updatedAt, ...label }: LabelRow): Label {
  return { ...label, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
