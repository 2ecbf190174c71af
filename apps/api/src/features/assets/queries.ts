import { and, eq, isNull, sql, type SQLWrapper } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { assets, assetVersions, organizations, storedObjects } from '../../db/generated/schema.ts';
import { allowsPublicLinks } from '../../domain/public-links/queries.ts';

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
    .innerJoin(storedObjects, eq(storedObjects.id, assetVersions.storedObjectId));
}

export function assetQueries(db: Database) {
  const wanted = sql`coalesce(${sql.placeholder('versionNumber')}::int, ${assets.currentVersion})`;
  const organizationId = sql.placeholder('organizationId');
  const version = contentOf(db, { organizationId, versionNumber: wanted })
    .where(
      and(
        eq(assets.organizationId, organizationId),
        eq(assets.id, sql.placeholder('id')),
        isNull(assets.deletedAt),
      ),
    )
    .prepare('asset_content');

  const ofAsset = { organizationId: assets.organizationId, versionNumber: assets.currentVersion };
  const linked = contentOf(db, ofAsset)
    .innerJoin(organizations, eq(organizations.id, assets.organizationId))
    .where(
      and(
        eq(assets.shortCode, sql.placeholder('shortCode')),
        eq(assets.publicLinkEnabled, true),
        isNull(assets.deletedAt),
        isNull(organizations.deletedAt),
        allowsPublicLinks,
      ),
    )
    .prepare('asset_content_by_short_code');

  return {
    /** @param key - `versionNumber` null for the current version */
    async findContent(key: { organizationId: string; id: string; versionNumber: number | null }) {
      const [row] = await version.execute(key);
      return row ?? null;
    },
    /** The one read without an organization: anyone with the code may read, while the link is on and allowed. */
    async findLinkedContent(shortCode: string) {
      const [row] = await linked.execute({ shortCode });
      return row ?? null;
    },
  };
}
