import { maxAssetsOfTask, type Task, type TaskAsset } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { recordActivity } from '../../domain/activity.ts';
import { presentAsset } from '../../domain/asset-view/present.ts';
import { aboutTask, lockForChange, presentChanged } from '../../domain/task-changes/changing.ts';
import { presentTask } from '../../domain/task-view/present.ts';
import { mutate } from '../../domain/transaction.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { orderIn, pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertMayUse } from '../../kernel/permissions.ts';
import {
  deleteAttachment,
  findAttachedIds,
  insertAttachment,
  keepAsset,
  listAssetsOfTask,
} from './queries.ts';

interface ListRequest extends PageRequest {
  readonly sort: 'attachedAt' | '-attachedAt';
}

/** The path parameters of an attached asset. */
interface AttachmentAddress {
  readonly id: string;
  readonly assetId: string;
}

/** Manages the assets that are attached to tasks of the selected organization. */
export function taskAssetUseCases({ db, clock, cursors, store, config }: Deps) {
  return {
    /** @throws Failure `not_found` (404) for the task */
    async list(taskId: string, request: ListRequest, ctx: MemberContext) {
      const list = ['task-assets', taskId, request.sort].join(':');
      const found = await listAssetsOfTask(
        db,
        { organizationId: ctx.organization.id, taskId, viewerId: ctx.user.id },
        {
          direction: orderIn(request.sort).direction,
          window: rowWindowOf(request, { list, cursors }),
        },
      );
      if (!found) throw new Failure('not_found');
      const { items, pagination } = pageOf(found, request, {
        list,
        cursors,
        present: async (row) => ({
          ...(await presentAsset({ store, config }, row)),
          attachedBy: row.attachedBy,
          attachedAt: row.attachedAt.toISOString(),
        }),
        positionOf: ({ attachedAt, id }) => ({ sortValue: attachedAt.toISOString(), id }),
      });
      return { items: await Promise.all<TaskAsset>(items), pagination };
    },

    /**
     * Attaches an asset to a task. No-op when it is attached.
     *
     * @throws Failure `not_found` (404) for the task or the asset, `too_many_task_assets` (409)
     */
    async attach({ id, assetId }: AttachmentAddress, ctx: MemberContext): Promise<Task> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, { id, ctx, store });
        const key = { organizationId: current.organizationId, taskId: id, assetId };
        const [asset, attached] = await Promise.all([keepAsset(tx, key), findAttachedIds(tx, key)]);
        if (!asset) throw new Failure('not_found');
        assertMayUse(ctx, 'params.assetId');
        if (attached.includes(assetId)) return presentTask(store, current);
        if (attached.length >= maxAssetsOfTask) throw new Failure('too_many_task_assets');
        const now = clock.now();
        return presentChanged(tx, current, {
          store,
          changes: [
            () => insertAttachment(tx, { ...key, attachedBy: ctx.user.id, attachedAt: now }),
            () =>
              recordActivity(tx, {
                ...aboutTask(current, ctx, now),
                action: 'task.attach',
                metadata: { projectId: current.projectId, assetId, assetName: asset.name },
              }),
          ],
        });
      });
    },

    /**
     * Detaches an asset from a task.
     *
     * @throws Failure `not_found` (404) for the task, the asset, or an asset that isn't attached
     */
    async detach({ id, assetId }: AttachmentAddress, ctx: MemberContext): Promise<Task> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, { id, ctx, store });
        const key = { organizationId: current.organizationId, taskId: id, assetId };
        const asset = await keepAsset(tx, key);
        if (!asset) throw new Failure('not_found');
        assertMayUse(ctx, 'params.assetId');
        if (!(await deleteAttachment(tx, key))) throw new Failure('not_found');
        return presentChanged(tx, current, {
          store,
          changes: [
            () =>
              recordActivity(tx, {
                ...aboutTask(current, ctx, clock.now()),
                action: 'task.detach',
                metadata: { projectId: current.projectId, assetId, assetName: asset.name },
              }),
          ],
        });
      });
    },
  };
}
