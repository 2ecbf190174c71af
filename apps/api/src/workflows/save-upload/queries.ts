import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/client.ts';
import {
  assets,
  assetVersions,
  collections,
  storedObjects,
  uploads,
} from '../../db/schema/index.ts';
import { newId, newShortCode } from '../../kernel/ids.ts';

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

export function withinOrganization({ organizationId, id }: UploadKey) {
  return and(eq(uploads.organizationId, organizationId), eq(uploads.id, id));
}

/** Serializes completing and giving up. */
export async function lockUpload(tx: Transaction, key: UploadKey): Promise<UploadRow | null> {
  const [row] = await tx
    .select(uploadColumns)
    .from(uploads)
    .where(withinOrganization(key))
    .for('update');
  return row ?? null;
}

export async function markAborted(tx: Transaction, key: UploadKey): Promise<void> {
  await tx.update(uploads).set({ status: 'ABORTED' }).where(withinOrganization(key));
}

export async function markCompleted(
  tx: Transaction,
  upload: UploadKey & { assetId: string },
): Promise<void> {
  await tx
    .update(uploads)
    .set({ status: 'COMPLETED', assetId: upload.assetId })
    .where(withinOrganization(upload));
}

/** Keeps the collection, and the asset in it, from being deleted until the transaction ends. */
export async function lockTarget(
  tx: Transaction,
  upload: { organizationId: string; collectionId: string; targetAssetId: string | null },
): Promise<{ asset: { collectionId: string; currentVersion: number } | null } | null> {
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
    .select({ collectionId: assets.collectionId, currentVersion: assets.currentVersion })
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

/** Versions that an asset has; under its lock. */
export async function countVersions(
  tx: Executor,
  { organizationId, assetId }: { organizationId: string; assetId: string },
): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(assetVersions)
    .where(
      and(eq(assetVersions.organizationId, organizationId), eq(assetVersions.assetId, assetId)),
    );
  return row?.count ?? 0;
}

/** Where the bytes of a completed upload lie. */
export async function insertStoredObject(
  tx: Transaction,
  object: { key: string; sizeBytes: number; eTag: string; createdAt: Date },
): Promise<string> {
  const id = newId();
  await tx.insert(storedObjects).values({ id, ...object });
  return id;
}

interface NewVersion {
  readonly upload: UploadRow;
  readonly assetId: string;
  readonly versionNumber: number;
  readonly storedObjectId: string;
  readonly now: Date;
}

export async function insertAsset(tx: Transaction, version: NewVersion): Promise<void> {
  const { upload, now } = version;
  await tx.insert(assets).values({
    id: version.assetId,
    organizationId: upload.organizationId,
    collectionId: upload.collectionId,
    name: upload.fileName,
    contentType: upload.contentType,
    fileSizeBytes: upload.fileSizeBytes,
    currentVersion: version.versionNumber,
    shortCode: newShortCode(),
    createdBy: upload.userId,
    createdAt: now,
    updatedAt: now,
  });
}

export async function setCurrentVersion(tx: Transaction, version: NewVersion): Promise<void> {
  await tx
    .update(assets)
    .set({
      contentType: version.upload.contentType,
      fileSizeBytes: version.upload.fileSizeBytes,
      currentVersion: version.versionNumber,
      updatedAt: version.now,
    })
    .where(
      and(eq(assets.organizationId, version.upload.organizationId), eq(assets.id, version.assetId)),
    );
}

export async function insertVersion(tx: Transaction, version: NewVersion): Promise<void> {
  const { upload } = version;
  await tx.insert(assetVersions).values({
    assetId: version.assetId,
    versionNumber: version.versionNumber,
    organizationId: upload.organizationId,
    storedObjectId: version.storedObjectId,
    contentType: upload.contentType,
    createdBy: upload.userId,
    createdAt: version.now,
  });
}
