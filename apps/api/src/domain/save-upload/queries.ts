import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm';
import { announcement } from '../../db/announcements.ts';
import { statementByShape } from '../../db/session/statement.ts';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import {
  assetFavorites,
  assets,
  assetVersions,
  collections,
  memberships,
  organizations,
  plans,
  storedObjects,
  uploads,
} from '../../db/generated/schema.ts';
import { fold } from '../folding.ts';
import { enqueuedJob } from '../job-queue.ts';
import { activityInsert } from '../activity.ts';
import { authorityPart, type AuthorityValues } from '../authority/queries.ts';
import type { AssetRow } from '../asset-view/queries.ts';
import { newId, newShortCode } from '../../kernel/ids.ts';
import { mayTouch } from '../member-rights/queries.ts';
import { startsPublic } from '../public-links/queries.ts';
import { newContentCounted } from '../storage-usage/queries.ts';
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

/** Locks the collection, and its asset, against deletion until the transaction ends. */
export async function lockTarget(
  tx: Transaction,
  upload: { organizationId: string; collectionId: string; targetAssetId: string | null },
): Promise<{ asset: { currentVersion: number; createdBy: string } | null } | null> {
  const [collection] = await tx
    .select({ id: collections.id })
    .from(collections)
    .where(
      and(
        eq(collections.organizationId, upload.organizationId),
        eq(collections.id, upload.collectionId),
        isNull(collections.deletedAt),
      ),
    )
    .for('share');
  if (!collection) return null;
  if (upload.targetAssetId === null) return { asset: null };
  const [asset] = await tx
    .select({ currentVersion: assets.currentVersion, createdBy: assets.createdBy })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, upload.organizationId),
        eq(assets.id, upload.targetAssetId),
        isNull(assets.deletedAt),
      ),
    )
    .for('no key update');
  return asset ? { asset } : null;
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
  const [row] = await saved(db, targetAssetId === null ? 'asset' : 'version', {
    ...(authority ?? withoutAuthority),
    organizationId,
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

/** Values for the part of the statement that is left out. */
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

/** The differences between a new asset and a new version. */
interface Kind {
  readonly action: SQL;
  /**
   * Selects the rows of `placed` with the asset's latest version, if the uploader may change it;
   * locks the asset.
   */
  readonly aimed: SQL;
  /** Writes the row of the asset for each row of `allowed`, and returns it. */
  readonly saved: SQL;
}

const given = {
  organizationId: sql`${sql.placeholder('organizationId')}::uuid`,
  uploadId: sql`${sql.placeholder('uploadId')}::uuid`,
  sizeBytes: sql`${sql.placeholder('sizeBytes')}::bigint`,
  eTag: sql`${sql.placeholder('eTag')}::text`,
  now: sql`${sql.param(sql.placeholder('now'), assets.createdAt)}::timestamptz`,
  apiKeyId: sql`${sql.placeholder('apiKeyId')}::uuid`,
  requestId: sql`${sql.placeholder('requestId')}::text`,
  assetId: sql`${sql.placeholder('assetId')}::uuid`,
  shortCode: sql`${sql.placeholder('shortCode')}::text`,
  storedObjectId: sql`${sql.placeholder('storedObjectId')}::uuid`,
  activityId: sql`${sql.placeholder('activityId')}::uuid`,
  /** A file name never changes. */
  nameFolded: sql`${sql.placeholder('nameFolded')}::text`,
};

/** The uploader, and their current membership. */
const uploader = { role: sql`placed.uploader_role`, userId: sql`placed.user_id` };

const asset: Kind = {
  action: sql`'asset.create'`,
  aimed: sql`
    select placed.*, 0 as current_version from placed
    where ${mayTouch('asset:create', { ...uploader, createdBy: uploader.userId })}`,
  saved: sql`
    insert into ${assets} (id, organization_id, collection_id, name, name_folded, content_type, file_size_bytes,
      current_version, short_code, public_link_enabled, created_by, created_at, updated_at)
    select ${given.assetId}, allowed.organization_id, allowed.collection_id, allowed.file_name,
      ${given.nameFolded}, allowed.content_type, ${given.sizeBytes}, 1, ${given.shortCode}, allowed.starts_public,
      allowed.user_id, ${given.now}, ${given.now}
    from allowed join counted on counted.organization_id = allowed.organization_id
    returning *`,
};

const version: Kind = {
  action: sql`'asset.add_version'`,
  aimed: sql`
    select placed.*, ${assets}.current_version
    from placed join ${assets} on ${assets}.organization_id = ${given.organizationId}
      and ${assets}.id = placed.target_asset_id and ${assets}.deleted_at is null
    where ${mayTouch('asset:edit', { ...uploader, createdBy: sql`${assets}.created_by` })}
    for no key update of ${assets}`,
  saved: sql`
    update ${assets}
    set content_type = allowed.content_type, file_size_bytes = ${given.sizeBytes},
      current_version = allowed.current_version + 1, updated_at = ${given.now}
    from allowed join counted on counted.organization_id = allowed.organization_id
    where ${assets}.organization_id = ${given.organizationId}
      and ${assets}.id = allowed.target_asset_id
    returning ${assets}.*`,
};

const kinds = { asset, version };

/**
 * Each part reads the previous one, so that rows are locked in the order of all other writers: upload,
 * collection, asset, usage.
 */
const saved = statementByShape((db, name: keyof typeof kinds) => {
  const kind = kinds[name];
  const saved = db.$with('saved', getTableColumns(assets)).as(kind.saved);
  return db
    .with(...partsThatDecide(db, kind), saved, ...partsThatWrite(db, kind))
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
      createdAt: saved.createdAt,
      updatedAt: saved.updatedAt,
      isFavorite: sql<boolean>`exists (
        select 1 from ${assetFavorites}
        where ${assetFavorites}.organization_id = ${given.organizationId}
          and ${assetFavorites}.asset_id = saved.id
          and ${assetFavorites}.user_id = (select user_id from allowed))`,
      job: enqueuedJob('inspect_content', { storedObjectId: given.storedObjectId }),
      announced: announcement(sql`'organization:' || saved.organization_id`),
    })
    .from(saved);
});

/**
 * Whether there is something to save, by whom, and room for it. What waits for a lock looks at that row again as it
 * then is, and all that is decided here is decided by such rows, but for the plan. The versions of an asset
 * are numbered without gaps: its current one is their count.
 */
function partsThatDecide(db: Database, { aimed }: Kind) {
  return [
    db.$with('uploader', {}).as(authorityPart),
    db.$with('upload', {}).as(sql`
      select ${uploads}.organization_id, ${uploads}.id, ${uploads}.collection_id,
        ${uploads}.target_asset_id, ${uploads}.user_id, ${uploads}.key, ${uploads}.file_name,
        ${uploads}.content_type,
        coalesce((select role from uploader), ${memberships}.role) as uploader_role
      from ${uploads} join ${memberships} on ${memberships}.organization_id = ${given.organizationId}
        and ${memberships}.user_id = ${uploads}.user_id and ${memberships}.status = 'ACTIVE'
      where ${uploads}.organization_id = ${given.organizationId} and ${uploads}.id = ${given.uploadId}
        and ${uploads}.status = 'ACTIVE'
        and (${sql.placeholder('credentialId')}::uuid is null or exists (select from uploader))
      for update of ${uploads}`),
    db.$with('placed', {}).as(sql`
      select upload.*
      from upload join ${collections} on ${collections}.organization_id = ${given.organizationId}
        and ${collections}.id = upload.collection_id and ${collections}.deleted_at is null
      for share of ${collections}`),
    db.$with('aimed', {}).as(aimed),
    db.$with('allowed', {}).as(sql`
      select aimed.*, ${plans}.max_storage_bytes, ${startsPublic} as starts_public
      from aimed join ${organizations} on ${organizations}.id = aimed.organization_id
        join ${plans} on ${plans}.code = ${organizations}.plan_code
      where coalesce(aimed.current_version < ${plans}.max_versions_per_asset, true)`),
    db
      .$with('counted', {})
      .as(newContentCounted({ sizeBytes: given.sizeBytes, from: sql`allowed` })),
  ] as const;
}

/** The rows written only with the row of the asset. */
function partsThatWrite(db: Database, { action }: Kind) {
  return [
    db.$with('content', {}).as(sql`
      insert into ${storedObjects} (id, key, size_bytes, e_tag, created_at)
      select ${given.storedObjectId}, allowed.key, ${given.sizeBytes}, ${given.eTag}, ${given.now}
      from allowed, saved`),
    db.$with('version', {}).as(sql`
      insert into ${assetVersions} (organization_id, asset_id, version_number, stored_object_id,
        content_type, created_by, created_at)
      select saved.organization_id, saved.id, saved.current_version, ${given.storedObjectId},
        saved.content_type, allowed.user_id, ${given.now}
      from allowed, saved`),
    db.$with('completed', {}).as(sql`
      update ${uploads} set status = 'COMPLETED', asset_id = saved.id
      from saved
      where ${uploads}.organization_id = ${given.organizationId} and ${uploads}.id = ${given.uploadId}`),
    db.$with('recorded', {}).as(
      activityInsert(
        {
          id: given.activityId,
          action,
          // Only the uploader can request the completion, even if the service finishes it.
          actorId: sql`allowed.user_id`,
          organizationId: sql`saved.organization_id`,
          resourceType: sql`'asset'`,
          resourceId: sql`saved.id`,
          resourceName: sql`allowed.file_name`,
          metadata: sql`jsonb_build_object('uploadId', allowed.id, 'versionNumber', saved.current_version)`,
          apiKeyId: given.apiKeyId,
          requestId: given.requestId,
          at: given.now,
        },
        sql`allowed, saved`,
      ),
    ),
  ] as const;
}
