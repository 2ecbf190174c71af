import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { announcement } from '../../db/announcements.ts';
import { lockingStatement } from '../../db/session/statement.ts';
import type { Executor, Transaction } from '../../db/executor.ts';
import { assets, uploads } from '../../db/generated/schema.ts';
import { isoTimestamp } from '../../db/iso-timestamp.ts';
import { fold } from '../folding.ts';
import { enqueuedJobOf } from '../job-queue.ts';
import type { AuthorityValues } from '../authority/queries.ts';
import { holdLivingCollection } from '../asset-locks/queries.ts';
import type { AssetRow } from '../asset-view/queries.ts';
import { newId, newShortCode } from '../../kernel/ids.ts';
import { rolesThatReach } from '../../kernel/permissions.ts';
import type { StoredObject } from '../../ports/object-store.ts';

export const uploadColumns = {
  id: uploads.id,
  organizationId: uploads.organizationId,
  collectionId: uploads.collectionId,
  targetAssetId: uploads.targetAssetId,
  userId: uploads.userId,
  key: uploads.key,
  storageUploadId: uploads.storageUploadId,
  fileName: uploads.fileName,
  contentType: uploads.contentType,
  fileSizeBytes: uploads.fileSizeBytes,
  partSizeBytes: uploads.partSizeBytes,
  status: uploads.status,
  assetId: uploads.assetId,
  expiresAt: uploads.expiresAt,
};

export type UploadRow = Pick<typeof uploads.$inferSelect, keyof typeof uploadColumns>;

interface UploadKey {
  readonly organizationId: string;
  readonly id: string;
}

function withinOrganization({ organizationId, id }: UploadKey) {
  return and(eq(uploads.organizationId, organizationId), eq(uploads.id, id));
}

/** Serializes completing and aborting. */
export async function lockUpload(tx: Transaction, key: UploadKey): Promise<UploadRow | null> {
  const [row] = await tx
    .select(uploadColumns)
    .from(uploads)
    .where(withinOrganization(key))
    .for('update');
  return row ?? null;
}

export async function markAborted(db: Executor, key: UploadKey): Promise<void> {
  await db.update(uploads).set({ status: 'ABORTED' }).where(withinOrganization(key));
}

/**
 * Aborts the uploads under way of an organization, or of one of its members.
 *
 * @returns what the storage may hold of each upload
 */
export async function markOpenAborted(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId?: string },
) {
  return tx
    .update(uploads)
    .set({ status: 'ABORTED' })
    .where(
      and(
        eq(uploads.organizationId, organizationId),
        userId === undefined ? undefined : eq(uploads.userId, userId),
        eq(uploads.status, 'ACTIVE'),
      ),
    )
    .returning({ key: uploads.key, storageUploadId: uploads.storageUploadId });
}

/** What an upload becomes a part of. */
interface Target {
  readonly organizationId: string;
  readonly collectionId: string;
  readonly targetAssetId: string | null;
}

/** The locked target of an upload, with the asset that gets a version. */
interface LockedTarget {
  readonly asset: { readonly currentVersion: number; readonly createdBy: string } | null;
}

/**
 * Locks the collection, or the asset with the collection that it now is in, against deletion until the transaction ends.
 *
 * @returns null if there is none any more; `moved` if the asset moved before it was locked: another transaction has to lock
 *   its collection first
 */
export async function lockTarget(
  tx: Transaction,
  target: Target,
): Promise<LockedTarget | 'moved' | null> {
  const { organizationId, targetAssetId } = target;
  if (targetAssetId === null) {
    return (await holdLivingCollection(tx, { organizationId, id: target.collectionId }))
      ? { asset: null }
      : null;
  }
  const targetAsset = and(eq(assets.organizationId, organizationId), eq(assets.id, targetAssetId));
  const [place] = await tx.select({ id: assets.collectionId }).from(assets).where(targetAsset);
  if (!place || !(await holdLivingCollection(tx, { organizationId, id: place.id }))) return null;
  const [asset] = await tx
    .select({
      collectionId: assets.collectionId,
      currentVersion: assets.currentVersion,
      createdBy: assets.createdBy,
    })
    .from(assets)
    .where(and(targetAsset, isNull(assets.deletedAt)))
    .for('no key update');
  if (!asset) return null;
  return asset.collectionId === place.id ? { asset } : 'moved';
}

/** A save, and the user for whom it happens. */
export interface Saving {
  /** The rights that the uploader must still have; null when the service finishes a completed upload. */
  readonly authority: AuthorityValues | null;
  readonly upload: UploadRow;
  /** The object that the storage made of the upload's parts. */
  readonly object: StoredObject;
  readonly requestId: string;
  readonly now: Date;
}

/**
 * Saves an upload whose object the storage holds, in one atomic statement.
 *
 * @returns the asset as its uploader sees it; null without authority, when the upload isn't active any
 *   more, its collection or asset isn't there, its uploader may not (any more), or the plan is full
 * @see docs/decisions/0010-uploads.md
 */
export async function saveOnce(
  db: Executor,
  { authority, upload, object, requestId, now }: Saving,
): Promise<AssetRow | null> {
  const { organizationId, id: uploadId, targetAssetId, key } = upload;
  const permission = targetAssetId === null ? 'asset:create' : 'asset:edit';
  const [row] = await saved(db, {
    ...(authority ?? withoutAuthority),
    organizationId,
    rolesForAll: rolesThatReach(permission, 'any'),
    rolesForOwn: rolesThatReach(permission, 'own'),
    uploadId,
    nameFolded: await fold(upload.fileName),
    sizeBytes: object.sizeBytes,
    eTag: object.eTag,
    now,
    requestId,
    assetId: newId(),
    shortCode: newShortCode(),
    storedObjectId: newId(),
    activityId: newId(),
  });
  return row ? { ...row, ...unreadContent, ...notReviewed, key } : null;
}

/** The service finishes what its user has completed. */
const withoutAuthority = { credentialId: null, apiKeyId: null, userId: null, roles: [] };

/** The properties of a content that a job finds out. */
const unreadContent = {
  checksum: null,
  detectedType: null,
  widthPixels: null,
  heightPixels: null,
  thumbnailKey: null,
} as const;

/** A new version isn't. */
const notReviewed = { reviewStatus: null, reviewedBy: null, reviewedAt: null } as const;

const value = sql.placeholder;
const now = sql`${sql.param(value('now'), assets.createdAt)}::timestamptz`;

/**
 * A function of the database makes the dozen statements in one round trip. They lock rows in the order of all other
 * writers: upload, collection, asset, usage.
 */
const saved = lockingStatement((db) => {
  const saved = db.$with('saved', {
    ...getTableColumns(assets),
    isFavorite: sql<boolean>`is_favorite`.as('is_favorite'),
  }).as(sql`
    select (done.saved).*, done.is_favorite
    from save_upload(${value('credentialId')}::uuid, ${value('userId')}::uuid, ${value('organizationId')}::uuid, ${now},
      ${value('roles')}::text[], ${value('rolesForAll')}::text[], ${value('rolesForOwn')}::text[],
      ${value('uploadId')}::uuid, ${value('sizeBytes')}::bigint, ${value('eTag')}::text, ${value('nameFolded')}::text,
      ${value('assetId')}::uuid, ${value('shortCode')}::text, ${value('storedObjectId')}::uuid,
      ${value('activityId')}::uuid, ${value('apiKeyId')}::uuid, ${value('requestId')}::text) as done`);
  return db
    .with(saved)
    .select({
      id: saved.id,
      organizationId: saved.organizationId,
      collectionId: saved.collectionId,
      name: saved.name,
      contentType: saved.contentType,
      description: saved.description,
      tags: saved.tags,
      fileSizeBytes: saved.fileSizeBytes,
      currentVersion: saved.currentVersion,
      shortCode: saved.shortCode,
      publicLinkEnabled: saved.publicLinkEnabled,
      publishedFromAssetId: saved.publishedFromAssetId,
      commentCount: saved.commentCount,
      openCommentCount: saved.openCommentCount,
      createdBy: saved.createdBy,
      createdAt: isoTimestamp(saved.createdAt),
      updatedAt: isoTimestamp(saved.updatedAt),
      isFavorite: saved.isFavorite,
      job: enqueuedJobOf(sql`saved.organization_id`, 'inspect_content', {
        organizationId: sql`${value('organizationId')}::uuid`,
        storedObjectId: sql`${value('storedObjectId')}::uuid`,
      }),
      announced: announcement(sql`'organization:' || saved.organization_id`),
    })
    .from(saved);
});
