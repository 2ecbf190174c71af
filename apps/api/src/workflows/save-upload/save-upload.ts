import type { Database, Transaction } from '../../db/client.ts';
import { enqueueJob } from '../../jobs/queue.ts';
import { recordActivity } from '../../kernel/activity.ts';
import { newId } from '../../kernel/ids.ts';
import { assertWithinPlan } from '../../kernel/plan-limits/assert.ts';
import { countStoredObject, lockStorageUsage } from '../../kernel/storage-usage/queries.ts';
import type { StoredObject } from '../../ports/object-store.ts';
import {
  countVersions,
  insertAsset,
  insertStoredObject,
  insertVersion,
  lockTarget,
  lockUpload,
  markAborted,
  markCompleted,
  setCurrentVersion,
  type UploadRow,
} from './queries.ts';

/** In whose name, and when. */
interface Occasion {
  readonly requestId: string;
  readonly now: Date;
}

/** The asset of a saved upload; or why there is none: given up meanwhile, or nowhere to put it. */
export type SaveOutcome =
  | { readonly assetId: string }
  | { readonly assetId: null; readonly because: 'aborted' | 'target_gone' };

/**
 * Saves the asset, or its version, of an upload whose object the storage holds; under the lock of the
 * upload, so only once. A refusal leaves the upload as it was.
 *
 * @throws Failure `plan_limit_reached` (409) when the plan has shrunk since the upload was initiated
 */
export async function saveUpload(
  db: Database,
  { upload, object }: { upload: UploadRow; object: StoredObject },
  { requestId, now }: Occasion,
): Promise<SaveOutcome> {
  return db.transaction(async (tx) => {
    const locked = await lockUpload(tx, upload);
    if (locked?.assetId) return { assetId: locked.assetId };
    if (locked?.status !== 'ACTIVE') {
      // Given up while the storage was joining the parts.
      await enqueueJob(tx, 'delete_object', { key: upload.key });
      return { assetId: null, because: 'aborted' };
    }
    const target = await lockTarget(tx, locked);
    if (!target) return { assetId: null, because: 'target_gone' };
    const versionNumber = (target.asset?.currentVersion ?? 0) + 1;
    const assetId = locked.targetAssetId ?? newId();
    const storedObjectId = await insertStoredObject(tx, {
      key: locked.key,
      ...object,
      createdAt: now,
    });
    await settle(tx, { upload: locked, storedObjectId, now });
    const version = { upload: locked, assetId, versionNumber, storedObjectId, now };
    await (target.asset ? setCurrentVersion(tx, version) : insertAsset(tx, version));
    await insertVersion(tx, version);
    await enqueueJob(tx, 'inspect_content', { storedObjectId });
    await markCompleted(tx, { ...locked, assetId });
    await recordActivity(tx, {
      action: target.asset ? 'asset.add_version' : 'asset.create',
      // Only the uploader can have it completed, whoever finishes it.
      actorId: locked.userId,
      organizationId: locked.organizationId,
      resourceType: 'asset',
      resourceId: assetId,
      resourceName: locked.fileName,
      metadata: { uploadId: locked.id, versionNumber },
      requestId,
      at: now,
    });
    return { assetId };
  });
}

/** Turns what the upload reserved into what its organization stores. */
async function settle(
  tx: Transaction,
  content: { upload: UploadRow; storedObjectId: string; now: Date },
): Promise<void> {
  const { upload, storedObjectId, now } = content;
  const { organizationId, targetAssetId } = upload;
  const usage = await lockStorageUsage(tx, { organizationId, now });
  const addedBytes = await countStoredObject(tx, { organizationId, storedObjectId });
  const limits = { storageBytes: usage.allowedBytes, versionsPerAsset: usage.maxVersionsPerAsset };
  assertWithinPlan(limits, 'storageBytes', usage.storedBytes + addedBytes);
  if (targetAssetId === null) return;
  const versions = await countVersions(tx, { organizationId, assetId: targetAssetId });
  assertWithinPlan(limits, 'versionsPerAsset', versions + 1);
}

/**
 * Gives an upload up, with what the storage may have joined of it. What it holds of its parts is the
 * caller's to abort, after the commit.
 *
 * @param by - who gives it up; null is the service itself
 * @returns what the upload was before
 */
export async function giveUpUpload(
  tx: Transaction,
  upload: UploadRow,
  by: Occasion & { actorId: string | null; reason?: 'expired' },
): Promise<UploadRow['status'] | null> {
  const locked = await lockUpload(tx, upload);
  if (locked?.status !== 'ACTIVE') return locked?.status ?? null;
  await markAborted(tx, locked);
  // A completion may have had the parts joined and then stopped short of saving the asset.
  await enqueueJob(tx, 'delete_object', { key: locked.key });
  await recordActivity(tx, {
    action: 'upload.abort',
    actorId: by.actorId,
    organizationId: locked.organizationId,
    resourceType: 'upload',
    resourceId: locked.id,
    resourceName: locked.fileName,
    ...(by.reason && { metadata: { reason: by.reason } }),
    requestId: by.requestId,
    at: by.now,
  });
  return 'ACTIVE';
}
