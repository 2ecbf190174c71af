import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/client.ts';
import { assets, collections, uploads } from '../../db/schema/index.ts';
import {
  uploadColumns,
  withinOrganization,
  type UploadRow,
} from '../../workflows/save-upload/queries.ts';

export function uploadQueries(db: Database) {
  const target = db
    .select({ collectionId: collections.id, assetId: assets.id })
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
    /** Whether the collection is there, and the asset when one is named. */
    async isTarget(key: { organizationId: string; collectionId: string; assetId: string | null }) {
      const [row] = await target.execute(key);
      if (!row) return false;
      return key.assetId === null || row.assetId !== null;
    },
  };
}

export async function findUpload(
  db: Database,
  key: { organizationId: string; id: string },
): Promise<UploadRow | null> {
  const [row] = await db.select(uploadColumns).from(uploads).where(withinOrganization(key));
  return row ?? null;
}

/** Uploads under way that are going to add a version to an asset. */
export async function countUploadsOf(
  tx: Transaction,
  { organizationId, assetId, now }: { organizationId: string; assetId: string; now: Date },
): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(uploads)
    .where(
      and(
        eq(uploads.organizationId, organizationId),
        eq(uploads.targetAssetId, assetId),
        eq(uploads.status, 'ACTIVE'),
        gt(uploads.expiresAt, now),
      ),
    );
  return row?.count ?? 0;
}

export type NewUpload = Omit<
  typeof uploads.$inferInsert,
  'status' | 'assetId' | 'storageUploadId' | 'targetAssetId'
> & { readonly targetAssetId: string | null };

export async function insertUpload(tx: Executor, upload: NewUpload): Promise<void> {
  await tx.insert(uploads).values({ ...upload, status: 'ACTIVE' });
}

export async function setStorageUploadId(
  db: Executor,
  upload: { organizationId: string; id: string; storageUploadId: string },
): Promise<void> {
  await db
    .update(uploads)
    .set({ storageUploadId: upload.storageUploadId })
    .where(withinOrganization(upload));
}
