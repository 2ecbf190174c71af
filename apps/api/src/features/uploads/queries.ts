import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/client.ts';
import {
  assets,
  assetVersions,
  collections,
  storedObjects,
  uploads,
} from '../../db/schema/index.ts';
import { newId, newShortCode } from '../../kernel/ids.ts';

export function uploadQueries(db: Database) {
  const target = db
    .select({ collectionId: collections.id, assetCollectionId: assets.collectionId })
    .from(collections)
    .leftJoin(
      assets,
      and(
        eq(assets.id, sql.placeholder('assetId')),
        eq(assets.organizationId, collections.organizationId),
        isNull(assets.deletedAt),
      ),
    )
    .where(
      and(
        eq(collections.organizationId, sql.placeholder('organizationId')),
        eq(collections.id, sql.placeholder('collectionId')),
        isNull(collections.deletedAt),
      ),
    )
    .prepare('upload_target');

  return {
    /** Whether the collection exists, and the asset in it when one is named. */
    async isTarget(key: { organizationId: string; collectionId: string; assetId: string | null }) {
      const [row] = await target.execute(key);
      if (!row) return false;
      return key.assetId === null || row.assetCollectionId === key.collectionId;
    },
  };
}

const columns = {
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
  status: uploads.status,
  assetId: uploads.assetId,
};

export type UploadRow = Pick<typeof uploads.$inferSelect, keyof typeof columns>;

function within(organizationId: string, id: string) {
  return and(eq(uploads.organizationId, organizationId), eq(uploads.id, id));
}

export async function findUpload(
  db: Database,
  key: { organizationId: string; id: string },
): Promise<UploadRow | null> {
  const [row] = await db.select(columns).from(uploads).where(within(key.organizationId, key.id));
  return row ?? null;
}

/** Serializes completing and aborting. */
export async function lockUpload(
  tx: Transaction,
  key: { organizationId: string; id: string },
): Promise<UploadRow | null> {
  const [row] = await tx
    .select(columns)
    .from(uploads)
    .where(within(key.organizationId, key.id))
    .for('update');
  return row ?? null;
}

export async function insertUpload(
  tx: Executor,
  row: Omit<typeof uploads.$inferInsert, 'status' | 'assetId' | 'storageUploadId'>,
): Promise<void> {
  await tx.insert(uploads).values({ ...row, status: 'ACTIVE' });
}

export async function setStorageUploadId(
  db: Executor,
  upload: { organizationId: string; id: string; storageUploadId: string },
): Promise<void> {
  await db
    .update(uploads)
    .set({ storageUploadId: upload.storageUploadId })
    .where(within(upload.organizationId, upload.id));
}

export async function markAborted(
  tx: Transaction,
  upload: { organizationId: string; id: string },
): Promise<void> {
  await tx
    .update(uploads)
    .set({ status: 'ABORTED' })
    .where(within(upload.organizationId, upload.id));
}

export async function markCompleted(
  tx: Transaction,
  upload: { organizationId: string; id: string; assetId: string },
): Promise<void> {
  await tx
    .update(uploads)
    .set({ status: 'COMPLETED', assetId: upload.assetId })
    .where(within(upload.organizationId, upload.id));
}

/** Keeps the collection, and the asset in it, from being deleted until the transaction ends. */
export async function lockTarget(
  tx: Transaction,
  upload: UploadRow,
): Promise<{ asset: { currentVersion: number } | null } | null> {
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
    .select({ currentVersion: assets.currentVersion })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, upload.organizationId),
        eq(assets.id, upload.targetAssetId),
        isNull(assets.deletedAt),
      ),
    )
    .for('update');
  return asset ? { asset } : null;
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
