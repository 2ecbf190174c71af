import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../../db/executor.ts';
import { statement } from '../../../db/session/statement.ts';
import { assets } from '../../../db/generated/schema.ts';

const known = statement((db) =>
  db
    .select({ id: assets.id })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, sql.placeholder('organizationId')),
        eq(assets.id, sql.placeholder('id')),
      ),
    ),
);

export function assetLogQueries(db: Database) {
  return {
    /** Whether the organization has an asset, deleted or not. */
    async isKnown(key: { organizationId: string; id: string }): Promise<boolean> {
      const rows = await known(db, key);
      return rows.length === 1;
    },
  };
}
