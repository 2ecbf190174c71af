import { Id } from '@atelier/contract';
import type { Executor, Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { presentAsset } from '../../domain/asset-view/present.ts';
import { findAsset } from '../../domain/asset-view/queries.ts';
import { assertAuthority, authorityOf } from '../../domain/authority/authority.ts';
import { apiKeyOf, type MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { assertMayTouch, assertMayUse, assertReaches } from '../../kernel/permissions.ts';
import { assertWithinPlan } from '../../domain/plan-limits/assert.ts';
import { mutateAtOnce, withAuthority } from '../../domain/transaction.ts';
import type { StoredObject, StoredPart } from '../../ports/object-store.ts';
import { markAborted, type UploadRow } from '../../domain/save-upload/queries.ts';
import { giveUpUpload, uploadSaver } from '../../domain/save-upload/save-upload.ts';
import {
  assertFileSize,
  assertPartsMatch,
  partBytes,
  partCountOf,
  partSizeOf,
  sortParts,
  storageKey,
} from './policy.ts';
import {
  insertUpload,
  countOpenUploads,
  lockPlace,
  findUpload,
  startUpload,
  type NewUpload,
} from './queries.ts';

/** Lifetime of a part's address in seconds. */
const partUrlSeconds = 60 * 60;
/** Seconds after which an upload that was neither completed nor aborted expires. */
const uploadLifetimeSeconds = 24 * 60 * 60;
/**
 * Seconds that a reservation has until its upload starts: more than the storage and the response take. One whose start
 * fails, or whose process ends, blocks the plan no longer.
 */
const startWithinSeconds = 3 * 60;

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

/** Manages multipart uploads, from the first address to the asset. */
export function uploadUseCases(deps: Deps) {
  const { db, clock, store, config, log } = deps;
  const saveUpload = uploadSaver(db);

  /**
   * Stores the upload before the request to the storage, so that every upload there is known here; its row
   * reserves its bytes of the plan.
   *
   * @throws Failure `validation_failed` (400) for a file that is too large, `not_found` (404) for an unknown collection or
   *   asset, and if the storage took too long to start it, `permission_denied` (403) for an asset that its caller may not
   *   change, `plan_limit_reached` or `too_many_open_uploads` (409), `storage_unavailable` (503)
   */
  async function initiate(request: InitiateRequest, ctx: MemberContext) {
    assertFileSize(request.fileSize, config.UPLOAD_MAX_FILE_BYTES);
    const upload = newUpload(request, ctx);
    await withAuthority({ db, clock, ctx }, (tx, ctx) => reserve(tx, upload, ctx));
    try {
      const { id, organizationId, key, partSizeBytes } = upload;
      const storageUploadId = await store.createMultipartUpload(upload);
      const partNumbers = numbersUpTo(partCountOf(upload));
      const expiresAt = endOf(upload);
      const addresses = await partAddresses({ ...upload, storageUploadId, expiresAt }, partNumbers);
      const started = {
        ...authorityOf(ctx, clock.now()),
        id,
        organizationId,
        storageUploadId,
        expiresAt,
        activityId: newId(),
        requestId: ctx.requestId,
      };
      const effect = (db: Executor) => startUpload(db, started);
      // Nothing to change: its time to start is over, or its organization was deleted in the meantime.
      return await mutateAtOnce(
        { db, clock, ctx, effect },
        { uploadId: id, key, partSize: partSizeBytes, ...addresses },
      );
    } catch (error) {
      if (error instanceof Failure) await withdraw(upload);
      throw error;
    }
  }

  function newUpload(request: InitiateRequest, ctx: MemberContext) {
    const { collectionId, fileName, contentType, fileSize } = request;
    const id = newId();
    const now = clock.now();
    return {
      id,
      organizationId: ctx.organization.id,
      collectionId,
      targetAssetId: request.assetId ?? null,
      userId: ctx.user.id,
      key: storageKey({ collectionId, uploadId: id, fileName }),
      fileName,
      contentType,
      fileSizeBytes: fileSize,
      partSizeBytes: partSizeOf(fileSize, config.UPLOAD_PART_SIZE_MIN_BYTES),
      createdAt: now,
      expiresAt: new Date(now.getTime() + startWithinSeconds * 1000),
    };
  }

  /** When an upload expires that has started. */
  function endOf({ createdAt }: Pick<NewUpload, 'createdAt'>): Date {
    return new Date(createdAt.getTime() + uploadLifetimeSeconds * 1000);
  }

  /** Reserves bytes of the plan, then checks the limit: the lock keeps other uploads out in between. */
  async function reserve(tx: Transaction, upload: NewUpload, ctx: MemberContext): Promise<void> {
    const place = await lockPlace(tx, upload);
    if (place === null) throw new Failure('not_found');
    assertMayUse(ctx, 'body.collectionId');
    // A new version changes the asset.
    if (place.createdBy !== null) {
      assertMayTouch(ctx, 'body.assetId', { createdBy: place.createdBy });
    }
    const most = config.UPLOAD_MAX_OPEN_PER_USER;
    const [open, usage] = await Promise.all([
      countOpenUploads(tx, { ...upload, expiresAt: endOf(upload) }, most),
      insertUpload(tx, upload),
    ]);
    if (open >= most) throw new Failure('too_many_open_uploads');
    const limits = {
      maxFileBytes: usage.maxFileBytes,
      storageBytes: usage.allowedBytes,
      versionsPerAsset: usage.maxVersionsPerAsset,
    };
    const { storedBytes, reservedBytes, versionsUnderWay } = usage;
    assertWithinPlan(limits, 'maxFileBytes', upload.fileSizeBytes);
    assertWithinPlan(limits, 'storageBytes', storedBytes + reservedBytes + upload.fileSizeBytes);
    if (upload.targetAssetId === null) return;
    assertWithinPlan(limits, 'versionsPerAsset', place.currentVersion + versionsUnderWay + 1);
  }

  /** Releases the reservation of an upload whose initiation failed. */
  async function withdraw(upload: NewUpload): Promise<void> {
    // The janitor ends it later.
    await markAborted(db, upload).catch((error: unknown) =>
      log.warn({ err: error }, 'an upload could not be withdrawn'),
    );
  }

  /**
   * Presigns parts until their upload expires, and no longer than an address may live. Each address accepts
   * exactly the bytes of its part, so that the storage holds no more than the plan has reserved.
   */
  async function partAddresses(
    upload: Pick<UploadRow, 'key' | 'expiresAt' | 'fileSizeBytes' | 'partSizeBytes'> & {
      storageUploadId: string;
    },
    partNumbers: readonly number[],
  ) {
    const { key, storageUploadId } = upload;
    const now = clock.now().getTime();
    const expiresAt = new Date(Math.min(now + partUrlSeconds * 1000, upload.expiresAt.getTime()));
    const expiresInSeconds = Math.max(1, Math.round((expiresAt.getTime() - now) / 1000));
    const parts = await Promise.all(
      partNumbers.map(async (partNumber) => ({
        partNumber,
        url: await store.presignPart({
          key,
          storageUploadId,
          partNumber,
          sizeBytes: partBytes(upload, partNumber),
          expiresInSeconds,
        }),
      })),
    );
    return { parts, expiresAt: expiresAt.toISOString() };
  }

  /**
   * Lists the stored parts of an upload and presigns the missing ones. This doesn't extend its lifetime.
   *
   * @throws Failure `not_found` (404) for another's upload, `upload_not_active` (400),
   *   `upload_already_completed` (409)
   */
  async function resume(uploadId: string, ctx: MemberContext) {
    const upload = await findUpload(db, { organizationId: ctx.organization.id, id: uploadId });
    if (!upload || upload.userId !== ctx.user.id) throw new Failure('not_found');
    if (upload.status === 'COMPLETED') throw new Failure('upload_already_completed');
    const { id, key, storageUploadId, partSizeBytes, fileSizeBytes } = upload;
    if (upload.status === 'ABORTED' || storageUploadId === null || hasExpired(upload)) {
      throw new Failure('upload_not_active');
    }
    const stored = await store.listParts({ key, storageUploadId });
    const { usable, missing } = sortParts(upload, stored ?? (await joinedParts(upload)));
    const addresses = await partAddresses({ ...upload, storageUploadId }, missing);
    return {
      uploadId: id,
      key,
      partSize: partSizeBytes,
      fileSize: fileSizeBytes,
      uploadedParts: usable.map(({ partNumber, eTag, sizeBytes }) => ({
        partNumber,
        eTag,
        size: sizeBytes,
      })),
      ...addresses,
    };
  }

  /** After a completion that stopped before saving the asset; completing again continues from there. */
  async function joinedParts(upload: UploadRow): Promise<StoredPart[]> {
    const object = await store.statObject(upload.key);
    if (object?.sizeBytes !== upload.fileSizeBytes) throw new Failure('upload_not_active');
    return numbersUpTo(partCountOf(upload)).map((partNumber) => ({
      partNumber,
      eTag: object.eTag,
      sizeBytes: partBytes(upload, partNumber),
    }));
  }

  function hasExpired(upload: UploadRow): boolean {
    return upload.expiresAt <= clock.now();
  }

  /**
   * Turns the stored parts into an asset or a version of one. Repeated and parallel requests get
   * the same asset; after a crash, the request continues where it stopped.
   *
   * @throws Failure `upload_mismatch`, `upload_not_active`, `upload_part_invalid`,
   *   `upload_part_too_small` or `upload_size_mismatch` (400), `permission_denied` (403) for an asset
   *   that the caller may not change (any more), `plan_limit_reached` (409)
   */
  async function complete(request: CompleteRequest, ctx: MemberContext) {
    return completeNamed(request, ctx).catch(async (refusal: unknown) => {
      const isOver = refusal instanceof Failure && refusal.code === 'upload_not_active';
      // It may be over because the membership is: that error comes first, as everywhere.
      if (isOver) await assertAuthority(db, ctx, clock.now());
      throw refusal;
    });
  }

  async function completeNamed(request: CompleteRequest, ctx: MemberContext) {
    const upload = await namedUpload(request, ctx);
    if (upload.userId !== ctx.user.id) throw mismatch();
    ctx.targets.note('body.uploadId');
    if (upload.collectionId !== request.collectionId) throw mismatch();
    assertMayUse(ctx, 'body.collectionId');
    if (upload.contentType !== request.contentType) throw mismatch();
    if (upload.assetId !== null) return presentedAsset(upload.assetId, ctx);

    if (!upload.hasTarget) throw new Failure('upload_not_active');
    assertMayChange(upload.targetCreatedBy, ctx);
    const object = await assemble(upload, request.parts);
    const now = clock.now();
    const saving = {
      authority: authorityOf(ctx, now),
      upload,
      object,
      requestId: ctx.requestId,
      now,
    };
    const saved = await saveUpload(saving, (work) => withAuthority({ db, clock, ctx }, work));
    if (saved.assetId === null) throw new Failure('upload_not_active');
    return saved.asset ? presentAsset(deps, saved.asset) : presentedAsset(saved.assetId, ctx);
  }

  /** Completes the multipart upload in the storage, unless an earlier request did. */
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
      if (hasExpired(upload)) throw new Failure('upload_not_active');
      const parts = assertPartsMatch(listed, stored, upload.fileSizeBytes);
      const outcome = await store.completeMultipartUpload({ key, storageUploadId, parts });
      if (outcome === 'invalid_part') throw new Failure('upload_part_invalid');
      if (outcome === 'part_too_small') throw new Failure('upload_part_too_small');
    }
    // Missing in the list of uploads means completed or aborted, by us or by a concurrent request.
    const object = await store.statObject(key);
    if (!object) throw new Failure('upload_not_active');
    if (object.sizeBytes !== upload.fileSizeBytes) throw new Failure('upload_size_mismatch');
    return object;
  }

  /**
   * Aborts an upload. No-op when repeated.
   *
   * @throws Failure `upload_mismatch` (400), `permission_denied` (403) for that of another member,
   *   `upload_already_completed` (409)
   */
  async function abort(request: { uploadId: string; key: string }, ctx: MemberContext) {
    const upload = await namedUpload(request, ctx);
    const now = clock.now();
    const by = { actorId: ctx.user.id, apiKeyId: apiKeyOf(ctx), requestId: ctx.requestId, now };
    const before = await withAuthority({ db, clock, ctx }, async (tx, ctx) => {
      assertMayTouch(ctx, 'body.uploadId', { createdBy: upload.userId });
      return giveUpUpload(tx, upload, by);
    });
    if (before === 'COMPLETED') throw new Failure('upload_already_completed');
    const { key, storageUploadId } = upload;
    if (storageUploadId !== null) await store.abortMultipartUpload({ key, storageUploadId });
    return { uploadId: upload.id };
  }

  /** Finds the upload that a request names. Makes no request to the storage. */
  async function namedUpload(request: { uploadId: string; key: string }, ctx: MemberContext) {
    const id = Id.safeParse(request.uploadId);
    const upload = id.success
      ? await findUpload(db, { organizationId: ctx.organization.id, id: id.data })
      : null;
    if (!upload || upload.key !== request.key) throw mismatch();
    return upload;
  }

  async function presentedAsset(id: string, ctx: MemberContext) {
    const row = await findAsset(db, {
      organizationId: ctx.organization.id,
      id,
      viewerId: ctx.user.id,
    });
    if (!row) throw new Failure('upload_not_active');
    return presentAsset(deps, row);
  }

  return { initiate, resume, complete, abort };
}

/**
 * Checks that the caller may still change the asset of an upload.
 *
 * @param createdBy - who made the asset; null for one that is new
 * @throws Failure `permission_denied` (403)
 */
function assertMayChange(createdBy: string | null, { role, user }: MemberContext): void {
  if (createdBy === null) return;
  assertReaches({ role, userId: user.id }, 'asset:edit', { createdBy });
}

function mismatch(): Failure {
  return new Failure('upload_mismatch');
}

function numbersUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
