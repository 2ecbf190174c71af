import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { Asset } from './asset.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { cursorListOf, pageOf, sortQuery } from './pagination.ts';
import { Id, Timestamp } from './primitives.ts';
import { target } from './targets.ts';
import { Task } from './tasks.ts';

/** Maximum number of assets that are attached to a task. */
export const maxAssetsOfTask = 50;

export const TaskAsset = Asset.extend({
  attachedBy: Id.describe('Who attached it.'),
  attachedAt: Timestamp,
}).meta({
  id: 'TaskAsset',
  description: 'An asset that is attached to a task.',
  examples: [
    {
      id: '019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
      assetName: 'logo.png',
      assetType: 'image/png',
      description: null,
      tags: [],
      assetShortUrl: 'https://api.example.com/s/3fK9xQ2mZr7TbLwA',
      assetLongUrl: 'https://storage.example.com/atelier/collection/…/logo.png?X-Amz-Signature=…',
      createdAt: '2026-11-21T09:30:00.000Z',
      collectionId: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
      organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
      createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
      fileSize: 48_213,
      checksum: null,
      detectedType: null,
      width: null,
      height: null,
      currentVersion: 1,
      isFavorite: false,
      thumbnailUrl: null,
      publishedFromAssetId: null,
      publicLinkEnabled: true,
      review: { status: 'NONE', versionNumber: 1, changedBy: null, changedAt: null },
      commentCount: 0,
      openCommentCount: 0,
      updatedAt: '2026-11-21T09:30:00.000Z',
      attachedBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
      attachedAt: '2026-11-22T09:30:00.000Z',
    },
  ],
});
export type TaskAsset = z.infer<typeof TaskAsset>;

export const TaskAssetPage = pageOf(TaskAsset, 'TaskAssetPage');

const taskPath = z.object({ id: Id });
const attachmentPath = z.object({ id: Id, assetId: Id });
const onBoth = {
  'params.id': target('task', 'task:edit'),
  'params.assetId': target('asset', 'asset:read'),
};

export const taskAssets = {
  list: endpoint({
    method: 'GET',
    path: '/api/tasks/:id/assets',
    summary: 'List the assets that are attached to a task',
    description: 'Those in the bin are left out until they are restored.',
    isAddition: true,
    access: memberAccess('asset:read'),
    pathParams: taskPath,
    query: cursorListOf({ sort: sortQuery(['attachedAt', '-attachedAt']) }),
    targets: { 'params.id': target('task', 'task:read') },
    success: ok('Attached assets retrieved', TaskAssetPage),
    errors: ['not_found'],
  }),
  attach: endpoint({
    method: 'PUT',
    path: '/api/tasks/:id/assets/:assetId',
    summary: 'Attach an asset to a task',
    description: 'No-op when it is attached already. A task has at most 50.',
    isAddition: true,
    access: memberAccess('task:edit'),
    effect: 'change',
    pathParams: attachmentPath,
    targets: onBoth,
    success: ok('Asset attached', Task),
    errors: ['not_found', 'too_many_task_assets'],
    activity: 'task.attach',
  }),
  detach: endpoint({
    method: 'DELETE',
    path: '/api/tasks/:id/assets/:assetId',
    summary: 'Detach an asset from a task',
    description: 'The asset itself stays.',
    isAddition: true,
    access: memberAccess('task:edit'),
    effect: 'remove',
    pathParams: attachmentPath,
    targets: onBoth,
    success: ok('Asset detached', Task),
    errors: ['not_found'],
    activity: 'task.detach',
  }),
};
