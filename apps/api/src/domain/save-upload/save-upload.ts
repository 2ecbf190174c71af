import type { Role } from '@atelier/contract';
import type { Database, Transaction } from '../../db/executor.ts';
import { enqueueJobOf, enqueueJobsOf } from '../job-queue.ts';
import { recordActivity } from '../activity.ts';
import type { AssetRow } from '../asset-view/queries.ts';
import { findActiveRole } from '../authority/queries.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertReaches } from '../../kernel/permissions.ts';
import { assertWithinPlan } from '../plan-limits/assert.ts';
import { lockStorageUsage } from '../storage-usage/queries.ts';
import {
  lockTarget,
  lockUpload,
  markAborted,
  markOpenAborted,
  saveOnce,
  type Saving,
  type UploadRow,
} from './queries.ts';

/** The request, or the run of a job, that does it, and when. */
interface Origin {
  readonly requestId: string;
  readonly now: Date;
}

/**
 * The asset of a saved upload, its row null when another request saved it; otherwise the reason: aborted
 * in the meantime, or no target left.
 */
export type SaveOutcome =
  | { readonly assetId: string; readonly asset: AssetRow | null }
  | { readonly assetId: null; readonly because: 'aborted' | 'target_gone' };

/** Runs a transaction; that of a request proves its authority. */
type InTransaction = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/** Creates the functions that save uploads. */
export function uploadSaver(db: Database) {
  /**
   * Saves the asset, or its version, of an upload whose object is stored. The lock of the upload
   * makes this happen once, with the current rights of its uploader. A refusal leaves the upload
   * unchanged.
   *
   * @throws Failure `permission_denied` (403) when the uploader lost the right since the upload was
   *   initiated, `plan_limit_reached` (409) when the plan has shrunk
   * @see docs/decisions/0010-uploads.md
   */
  return async function saveUpload(
    saving: Saving,
    inTransaction: InTransaction = (work) => db.transaction(work),
  ): Promise<SaveOutcome> {
    const asset = await saveOnce(db, saving);
    if (asset) return { assetId: asset.id, asset };
    for (;;) {
      const outcome = await inTransaction((tx) => saveOrSayWhyNot(tx, saving));
      if (outcome !== 'moved') return outcome;
    }
  };
}

/**
 * Retries an upload that could not be saved, with everything locked, so that the reason can't change:
 * if there is none any more, the upload is saved.
 *
 * @returns `moved` without a change if the asset moved meanwhile, see {@link lockTarget}
 */
async function saveOrSayWhyNot(tx: Transaction, saving: Saving): Promise<SaveOutcome | 'moved'> {
  const { upload, object, now } = saving;
  const locked = await lockUpload(tx, upload);
  if (locked?.assetId) return { assetId: locked.assetId, asset: null };
  if (locked?.status !== 'ACTIVE') {
    // Aborted while the storage was joining the parts.
    await enqueueRelease(tx, upload);
    return { assetId: null, because: 'aborted' };
  }
  const target = await lockTarget(tx, locked);
  if (target === 'moved') return target;
  if (!target) return { assetId: null, because: 'target_gone' };
  assertMaySave(await findActiveRole(tx, locked), locked, target);
  const usage = await lockStorageUsage(tx, { organizationId: locked.organizationId, now });
  const limits = { storageBytes: usage.allowedBytes, versionsPerAsset: usage.maxVersionsPerAsset };
  assertWithinPlan(limits, 'storageBytes', usage.storedBytes + object.sizeBytes);
  // Numbered without gaps.
  assertWithinPlan(limits, 'versionsPerAsset', (target.asset?.currentVersion ?? 0) + 1);
  const asset = await saveOnce(tx, saving);
  if (!asset) throw new Error('an upload was not saved, and nothing stood against it');
  return { assetId: asset.id, asset };
}

/** An upload without a row may have been saved, and its asset deleted: other organizations may still have the object. */
async function enqueueRelease(tx: Transaction, { organizationId, key }: UploadRow): Promise<void> {
  const payload = { key, thumbnailKey: null };
  await enqueueJobOf(tx, organizationId, { name: 'release_object', payload });
}

/** @throws Failure `permission_denied` (403) */
function assertMaySave(
  role: Role | null,
  { userId }: UploadRow,
  { asset }: { asset: { createdBy: string } | null },
): void {
  if (role === null) throw new Failure('permission_denied');
  if (asset) assertReaches({ role, userId }, 'asset:edit', asset);
  else assertReaches({ role, userId }, 'asset:create', { createdBy: userId });
}

/**
 * Aborts an upload and removes the object that the storage may have joined. The caller aborts its parts
 * after the commit.
 *
 * @param by - the actor; null is the service itself
 * @returns the previous state of the upload
 */
export async function giveUpUpload(
  tx: Transaction,
  upload: UploadRow,
  by: Origin & { actorId: string | null; apiKeyId: string | null; reason?: 'expired' },
): Promise<UploadRow['status'] | null> {
  const locked = await lockUpload(tx, upload);
  if (locked?.status !== 'ACTIVE') return locked?.status ?? null;
  await markAborted(tx, locked);
  // A completion may have joined the parts and then stopped before saving the asset.
  await enqueueRelease(tx, locked);
  await recordActivity(tx, {
    action: 'upload.abort',
    actorId: by.actorId,
    organizationId: locked.organizationId,
    resourceType: 'upload',
    resourceId: locked.id,
    resourceName: locked.fileName,
    ...(by.reason && { metadata: { reason: by.reason } }),
    apiKeyId: by.apiKeyId,
    requestId: by.requestId,
    at: by.now,
  });
  return 'ACTIVE';
}

/**
 * Aborts the uploads under way of an organization, or of a member whose access ends. On commit, the
 * storage aborts them too: from then on the addresses of their parts are invalid.
 *
 * @returns the number of uploads
 */
export async function abortOpenUploads(
  tx: Transaction,
  whose: { organizationId: string; userId?: string },
): Promise<number> {
  const aborted = await markOpenAborted(tx, whose);
  await enqueueJobsOf(tx, whose.organizationId, { name: 'abort_upload', payloads: aborted });
  return aborted.length;
}
