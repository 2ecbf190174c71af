import type { Asset, TaskAsset } from '@atelier/client';
import { editCached } from '@atelier/client/react-query';
import { api } from '../../session/api.ts';
import { topicKey, useOrganizationMutation, type TopicKey } from '../../session/queries.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/task-files.ts';
import { notify } from '../../ui/notices.tsx';
import { changeTask } from '../task-cache.ts';

/** Query keys that an attached or detached file invalidates. */
const topics: readonly TopicKey[] = [['taskAssets'], ['tasks'], ['timeline']];

/** Attaches an asset to a task. */
export function useAttach(taskId: string) {
  return useOrganizationMutation({
    change: ({ id: assetId }: Pick<Asset, 'id'>, options) =>
      api.taskAssets.attach({ params: { id: taskId, assetId } }, options),
    invalidates: topics,
  });
}

/** Detaches an asset from a task, with an offer to undo it. */
export function useDetach(taskId: string) {
  const attach = useAttach(taskId);
  return useOrganizationMutation({
    change: ({ id: assetId }: Pick<TaskAsset, 'id' | 'assetName'>, options) =>
      api.taskAssets.detach({ params: { id: taskId, assetId } }, options),
    invalidates: topics,
    optimistic(client, { id }) {
      const keys = [topicKey(['taskAssets', 'list', { params: { id: taskId } }])];
      editCached<TaskAsset>(client, { keys, ids: [id], edit: () => null });
      changeTask(client, taskId, (task) => ({
        ...task,
        attachmentCount: Math.max(0, task.attachmentCount - 1),
      }));
    },
    onDone: (_, { id, assetName }) =>
      notify(texts.removed(assetName), {
        action: { label: shared.undo, run: () => attach.mutate({ id }) },
      }),
  });
}
