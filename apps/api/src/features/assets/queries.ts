import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { statement } from '../../db/session/statement.ts';
import { assets, organizations } from '../../db/generated/schema.ts';
import { contentOf } from '../../domain/asset-content/queries.ts';
import { allowsPublicLinks } from '../../domain/public-links/queries.ts';

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
    /** The one read without an organization: anyone with the code may read, while the link is on and allowed. */
    async findLinkedContent(shortCode: string) {
      const [row] = await linkedContent(db, { shortCode });
      return row ?? null;
    },
  };
}
