import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../../db/executor.ts';
import { assets } from '../../../db/generated/schema.ts';

export function assetLogQueries(db: Database) {
  const known = db
    .select({ id: assets.id })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, sql.placeholder('organizationId')),
        eq(assets.id, sql.placeholder('id')),
      ),
    )
    .prepare('asset_or_binned_asset');

  return {
    /** Whether the organization has an asset, deleted or not. */
    async isKnown(key: { organizationId: string; id: string }): Promise<boolean> {
      const rows = await known.execute(key);
      return rows.length === 1;
    },
  };
}
