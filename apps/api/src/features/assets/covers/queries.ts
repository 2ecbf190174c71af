import { and, eq, exists, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../../db/executor.ts';
import { assets, assetVersions, storedObjects, uploads } from '../../../db/generated/schema.ts';
import { isStoredObject } from '../../../domain/stored-objects/queries.ts';

export interface CoveredVersion {
  readonly storedObjectId: string;
  readonly contentType: string;
  readonly thumbnailKey: string | null;
  /** Whether the content was uploaded to this asset; what was published from elsewhere isn't. */
  readonly isUploadedHere: boolean;
  /** Who created the asset. */
  readonly createdBy: string;
}

/** @param versionNumber - null: the current version */
export async function findCoveredVersion(
  db: Executor,
  {
    organizationId,
    assetId,
    versionNumber,
  }: { organizationId: string; assetId: string; versionNumber: number | null },
): Promise<CoveredVersion | null> {
  const itsUpload = db
    .select({ one: sql`1` })
    .from(uploads)
    .where(
      and(
        eq(uploads.organizationId, organizationId),
        eq(uploads.assetId, assetId),
        sql`${uploads}.key = ${storedObjects}.key`,
      ),
    );
  const [row] = await db
    .select({
      storedObjectId: storedObjects.id,
      contentType: assetVersions.contentType,
      thumbnailKey: storedObjects.thumbnailKey,
      isUploadedHere: sql<boolean>`${exists(itsUpload)}`,
      createdBy: assets.createdBy,
    })
    .from(assets)
    .innerJoin(
      assetVersions,
      and(
        eq(assetVersions.organizationId, organizationId),
        eq(assetVersions.assetId, assets.id),
        eq(assetVersions.versionNumber, versionNumber ?? assets.currentVersion),
      ),
    )
    .innerJoin(storedObjects, isStoredObject({ organizationId, id: assetVersions.storedObjectId }))
    .where(
      and(
        eq(assets.organizationId, organizationId),
        eq(assets.id, assetId),
        isNull(assets.deletedAt),
      ),
    );
  return row ?? null;
}
