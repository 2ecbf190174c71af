import { and, eq, isNull, sql, type SQLWrapper } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { statement } from '../../db/session/statement.ts';
import { assets, assetVersions, organizations, storedObjects } from '../../db/generated/schema.ts';
import { allowsPublicLinks } from '../../domain/public-links/queries.ts';
import { isStoredObject } from '../../domain/stored-objects/queries.ts';

/** The parts of a version that a download needs. */
function contentOf(
  db: Database,
  { organizationId, versionNumber }: { organizationId: SQLWrapper; versionNumber: SQLWrapper },
) {
  return db
    .select({
      name: assets.name,
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

const linkedContent = statement((db) =>
  contentOf(db, { organizationId: assets.organizationId, versionNumber: assets.currentVersion })
    .innerJoin(organizations, eq(organizations.id, assets.organizationId))
    .where(
      and(
        eq(assets.shortCode, sql.placeholder('shortCode')),
        eq(assets.publicLinkEnabled, true),
        isNull(assets.deletedAt),
        isNull(organizations.deletedAt),
        allowsPublicLinks,
      ),
    ),
);

export function assetQueries(db: Database) {
  return {
    /** @param key - `versionNumber` null for the current version */
    async findContent(key: { organizationId: string; id: string; versionNumber: number | null }) {
      const [row] = await contentOfVersion(db, key);
      return row ?? null;
    },
    /** The one read without an organization: anyone with the code may read, while the link is on and allowed. */
    async findLinkedContent(shortCode: string) {
      const [row] = await linkedContent(db, { shortCode });
      return row ?? null;
    },
  };
}
