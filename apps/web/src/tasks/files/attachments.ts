import type { Asset, TaskAsset } from '@atelier/client';
import { editCached } from '@atelier/client/react-query';
import { api } from '../../session/api.ts';
import { orGone } from '../../session/gone.ts';
import { topicKey, useOrganizationMutation, type TopicKey } from '../../session/queries.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/task-files.ts';
import { notify } from '../../ui/notices.tsx';
import { declareChange } from '../../unsent/declare.ts';
import { useChange } from '../../unsent/use-change.ts';
import { useUnsettledInputs } from '../../unsent/waiting.ts';
import { changeTask } from '../task-cache.ts';

/** Query keys that an attached or detached file invalidates. */
const topics: readonly TopicKey[] = [['taskAssets'], ['tasks'], ['timeline']];

/** What is shown of a file until it is attached. Not its addresses, which open it. */
export type AttachedFile = Pick<Asset, 'id' | 'assetName' | 'assetType' | 'fileSize'>;

interface Attachment {
  readonly taskId: string;
  readonly asset: AttachedFile;
}

const attachAsset = declareChange({
  name: 'taskAssets.attach',
  send: ({ taskId, asset: { id: assetId } }: Attachment, options) =>
    api.taskAssets.attach({ params: { id: taskId, assetId } }, options),
  invalidates: topics,
  // The list of files shows those that are pending, see `usePendingFiles`.
  show() {},
  items: ({ taskId, asset }) => [asset.id, taskId],
  sent: (cache, task) => changeTask(cache, task.id, () => task),
});

/** Attaches an asset to a task, also later when there is no network. */
export function useAttach(taskId: string) {
  const attach = useChange(attachAsset);
  return ({ id, assetName, assetType, fileSize }: AttachedFile) =>
    attach.mutate({ taskId, asset: { id, assetName, assetType, fileSize } });
}

/** Returns the files that are about to be attached to a task, oldest first. */
export function usePendingFiles(taskId: string): readonly AttachedFile[] {
  return useUnsettledInputs(attachAsset)
    .filter((attachment) => attachment.taskId === taskId)
    .map(({ asset }) => asset);
}

/** Detaches an asset from a task, with an offer to undo it. */
export function useDetach(taskId: string) {
  const attach = useAttach(taskId);
  return useOrganizationMutation({
    change: ({ id: assetId }: AttachedFile, options) =>
      orGone(api.taskAssets.detach({ params: { id: taskId, assetId } }, options), null),
    invalidates: topics,
    optimistic(client, { id }) {
      const keys = [topicKey(['taskAssets', 'list', { params: { id: taskId } }])];
      editCached<TaskAsset>(client, { keys, ids: [id], edit: () => null });
      changeTask(client, taskId, (task) => ({
        ...task,
        attachmentCount: Math.max(0, task.attachmentCount - 1),
      }));
    },
    onDone: (_, asset) =>
      notify(texts.removed(asset.assetName), {
        action: { label: shared.undo, run: () => attach(asset) },
      }),
  });
}
