import { and, eq, isNull, sql, type SQLWrapper } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { assets, assetVersions, storedObjects } from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';
import { isStoredObject } from '../stored-objects/queries.ts';

/** Selects the parts of a version that a download needs. */
export function contentOf(
  db: Database,
  { organizationId, versionNumber }: { organizationId: SQLWrapper; versionNumber: SQLWrapper },
) {
  return db
    .select({
      name: assets.name,
      versionNumber: assetVersions.versionNumber,
      contentType: assetVersions.contentType,
      key: storedObjects.key,
      detectedType: storedObjects.detectedType,
    })
    .from(assets)
    .innerJoin(
      assetVersions,
      and(
        eq(assetVersions.organizationId, organizationId),
        eq(assetVersions.assetId, assets.id),
        eq(assetVersions.versionNumber, versionNumber),
      ),
    )
    .innerJoin(storedObjects, isStoredObject({ organizationId, id: assetVersions.storedObjectId }));
}

const contentOfVersion = statement((db) =>
  contentOf(db, {
    organizationId: sql`${sql.placeholder('organizationId')}`,
    versionNumber: sql`coalesce(${sql.placeholder('versionNumber')}::int, ${assets.currentVersion})`,
  }).where(
    and(
      eq(assets.organizationId, sql.placeholder('organizationId')),
      eq(assets.id, sql.placeholder('id')),
      isNull(assets.deletedAt),
    ),
  ),
);

/** Finds where the content of an asset is that isn't in the bin. @param key - `versionNumber` null for the current version */
export async function findContent(
  db: Database,
  key: { organizationId: string; id: string; versionNumber: number | null },
) {
  const [row] = await contentOfVersion(db, key);
  return row ?? null;
}
