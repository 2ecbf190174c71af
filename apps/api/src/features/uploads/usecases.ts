import { Id } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { enqueueJob } from '../../jobs/queue.ts';
import { recordActivity } from '../../kernel/activity.ts';
import { presentAsset } from '../../kernel/asset-view/present.ts';
import { assetViewQueries } from '../../kernel/asset-view/queries.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { assertMayTouch } from '../../kernel/permissions.ts';
import type { StoredObject } from '../../ports/object-store.ts';
import { assertFileSize, assertPartsMatch, partsOf, storageKey } from './policy.ts';
import {
  findUpload,
  insertAsset,
  insertStoredObject,
  insertUpload,
  insertVersion,
  lockTarget,
  lockUpload,
  markAborted,
  markCompleted,
  setCurrentVersion,
  setStorageUploadId,
  uploadQueries,
  type UploadRow,
} from './queries.ts';

/** Seconds for which the address of a part works. */
const partUrlSeconds = 60 * 60;
/** Seconds after which an upload that was neither completed nor aborted is given up. */
const uploadLifetimeSeconds = 24 * 60 * 60;

export interface InitiateRequest {
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly collectionId: string;
  readonly assetId?: string | undefined;
}

export interface CompleteRequest {
  readonly uploadId: string;
  readonly key: string;
  readonly contentType: string;
  readonly parts: readonly { partNumber: number; eTag: string }[];
  readonly collectionId: string;
}

/** Multipart uploads, from the first address to the asset. */
export function uploadUseCases(deps: Deps) {
  const { db, clock, store, config } = deps;
  const targets = uploadQueries(db);
  const assetViews = assetViewQueries(db);

  /**
   * Writes the upload down before the storage is asked, so that nothing lies there unknown.
   *
   * @throws Failure `not_found` (404) for a collection or asset that isn't there
   */
  async function initiate(request: InitiateRequest, ctx: MemberContext) {
    assertFileSize(request.fileSize, config.UPLOAD_MAX_FILE_BYTES);
    const { collectionId, assetId = null } = request;
    const organizationId = ctx.organization.id;
    if (!(await targets.isTarget({ organizationId, collectionId, assetId }))) {
      throw new Failure('not_found');
    }
    const now = clock.now();
    const id = newId();
    const key = storageKey({ collectionId, uploadId: id, fileName: request.fileName });
    const { partSizeBytes, partCount } = partsOf(
      request.fileSize,
      config.UPLOAD_PART_SIZE_MIN_BYTES,
    );
    await insertUpload(db, {
      id,
      organizationId,
      collectionId,
      targetAssetId: assetId,
      userId: ctx.user.id,
      key,
      fileName: request.fileName,
      contentType: request.contentType,
      fileSizeBytes: request.fileSize,
      partSizeBytes,
      createdAt: now,
      expiresAt: new Date(now.getTime() + uploadLifetimeSeconds * 1000),
    });
    const storageUploadId = await store.createMultipartUpload({
      key,
      contentType: request.contentType,
    });
    await db.transaction(async (tx) => {
      await setStorageUploadId(tx, { organizationId, id, storageUploadId });
      await recordActivity(tx, {
        ...aboutUpload({ id, organizationId, fileName: request.fileName }, ctx, now),
        action: 'upload.initiate',
      });
    });

    const parts = await Promise.all(
      Array.from({ length: partCount }, async (_, index) => ({
        partNumber: index + 1,
        url: await store.presignPart({
          key,
          storageUploadId,
          partNumber: index + 1,
          expiresInSeconds: partUrlSeconds,
        }),
      })),
    );
    const expiresAt = new Date(now.getTime() + partUrlSeconds * 1000).toISOString();
    return { uploadId: id, key, partSize: partSizeBytes, parts, expiresAt };
  }

  /**
   * Makes the stored parts an asset, or a version of one. Repeating it, also in parallel, answers with
   * the same asset; after a crash it goes on where it stopped.
   *
   * @throws Failure `upload_mismatch`, `upload_not_active`, `upload_part_invalid`,
   *   `upload_part_too_small` or `upload_size_mismatch` (400)
   */
  async function complete(request: CompleteRequest, ctx: MemberContext) {
    const upload = await namedUpload(request, ctx);
    if (upload.userId !== ctx.user.id) throw mismatch();
    if (upload.collectionId !== request.collectionId) throw mismatch();
    if (upload.contentType !== request.contentType) throw mismatch();
    if (upload.assetId !== null) return presentedAsset(upload.assetId, ctx);

    const object = await assemble(upload, request.parts);
    const assetId = await save(upload, object, ctx);
    return presentedAsset(assetId, ctx);
  }

  /** Has the storage join the parts, unless an earlier call already had. */
  async function assemble(
    upload: UploadRow,
    listed: CompleteRequest['parts'],
  ): Promise<StoredObject> {
    const { key, storageUploadId } = upload;
    if (upload.status === 'ABORTED' || storageUploadId === null) {
      throw new Failure('upload_not_active');
    }
    const stored = await store.listParts({ key, storageUploadId });
    if (stored) {
      const parts = assertPartsMatch(listed, stored, upload.fileSizeBytes);
      const outcome = await store.completeMultipartUpload({ key, storageUploadId, parts });
      if (outcome === 'invalid_part') throw new Failure('upload_part_invalid');
      if (outcome === 'part_too_small') throw new Failure('upload_part_too_small');
    }
    // Gone from the list of uploads means completed or aborted, by us or by a call beside this one.
    const object = await store.statObject(key);
    if (!object) throw new Failure('upload_not_active');
    if (object.sizeBytes !== upload.fileSizeBytes) throw new Failure('upload_size_mismatch');
    return object;
  }

  /** Saves the asset with its version and activity; under the lock of the upload, so only once. */
  async function save(
    upload: UploadRow,
    object: StoredObject,
    ctx: MemberContext,
  ): Promise<string> {
    const now = clock.now();
    const outcome = await db.transaction(async (tx) => {
      const locked = await lockUpload(tx, upload);
      if (locked?.assetId) return { assetId: locked.assetId };
      const target = locked?.status === 'ACTIVE' ? await lockTarget(tx, locked) : null;
      if (!locked || !target) {
        // Aborted, or its collection deleted, while the storage was joining the parts.
        await enqueueJob(tx, 'delete_object', { key: upload.key });
        return { assetId: null };
      }
      const storedObjectId = await insertStoredObject(tx, {
        key: locked.key,
        ...object,
        createdAt: now,
      });
      const version = {
        upload: locked,
        assetId: locked.targetAssetId ?? newId(),
        versionNumber: (target.asset?.currentVersion ?? 0) + 1,
        storedObjectId,
        now,
      };
      await (target.asset ? setCurrentVersion(tx, version) : insertAsset(tx, version));
      await insertVersion(tx, version);
      await markCompleted(tx, { ...locked, assetId: version.assetId });
      await recordActivity(tx, {
        action: target.asset ? 'asset.add_version' : 'asset.create',
        actorId: ctx.user.id,
        organizationId: locked.organizationId,
        resourceType: 'asset',
        resourceId: version.assetId,
        resourceName: locked.fileName,
        metadata: { uploadId: locked.id, versionNumber: version.versionNumber },
        requestId: ctx.requestId,
        at: now,
      });
      return { assetId: version.assetId };
    });
    if (outcome.assetId === null) throw new Failure('upload_not_active');
    return outcome.assetId;
  }

  /**
   * Gives an upload up. Repeating it changes nothing.
   *
   * @throws Failure `upload_mismatch` (400), `upload_already_completed` (409)
   */
  async function abort(request: { uploadId: string; key: string }, ctx: MemberContext) {
    const upload = await namedUpload(request, ctx);
    assertMayTouch({ role: ctx.role, userId: ctx.user.id }, 'upload:abort', {
      createdBy: upload.userId,
    });
    const now = clock.now();
    await db.transaction(async (tx) => {
      const locked = await lockUpload(tx, upload);
      if (locked?.status === 'COMPLETED') throw new Failure('upload_already_completed');
      if (locked?.status !== 'ACTIVE') return;
      await markAborted(tx, locked);
      await recordActivity(tx, { ...aboutUpload(locked, ctx, now), action: 'upload.abort' });
    });
    const { key, storageUploadId } = upload;
    if (storageUploadId !== null) await store.abortMultipartUpload({ key, storageUploadId });
    return { uploadId: upload.id };
  }

  /** The upload that a request names, as it was written down. Storage is not touched. */
  async function namedUpload(request: { uploadId: string; key: string }, ctx: MemberContext) {
    const id = Id.safeParse(request.uploadId);
    const upload = id.success
      ? await findUpload(db, { organizationId: ctx.organization.id, id: id.data })
      : null;
    if (!upload || upload.key !== request.key) throw mismatch();
    return upload;
  }

  async function presentedAsset(id: string, ctx: MemberContext) {
    const row = await assetViews.find({
      organizationId: ctx.organization.id,
      id,
      viewerId: ctx.user.id,
    });
    if (!row) throw new Failure('upload_not_active');
    return presentAsset(deps, row);
  }

  return { initiate, complete, abort };
}

function mismatch(): Failure {
  return new Failure('upload_mismatch');
}

function aboutUpload(
  upload: { id: string; organizationId: string; fileName: string },
  ctx: MemberContext,
  now: Date,
) {
  return {
    actorId: ctx.user.id,
    organizationId: upload.organizationId,
    resourceType: 'upload',
    resourceId: upload.id,
    resourceName: upload.fileName,
    requestId: ctx.requestId,
    at: now,
  } as const;
}
