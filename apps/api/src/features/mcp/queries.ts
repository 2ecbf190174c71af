import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { shares, uploads } from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';
import { isOpenAt } from '../../domain/shares/queries/visits.ts';

const activeUpload = statement((db) =>
  db
    .select({ key: uploads.key, storageUploadId: uploads.storageUploadId })
    .from(uploads)
    .where(
      and(
        eq(uploads.organizationId, sql.placeholder('organizationId')),
        eq(uploads.id, sql.placeholder('id')),
        eq(uploads.status, 'ACTIVE'),
      ),
    ),
);

/** Where an assistant's upload goes. Who may upload, the operations of the API have decided. */
export function mcpQueries(db: Database) {
  return {
    /** Tells whether an open share shows a collection, or an asset of it, to outsiders. */
    async isShared(
      place: { organizationId: string; collectionId: string; assetId: string | null },
      now: Date,
    ): Promise<boolean> {
      const { organizationId, collectionId, assetId } = place;
      const shown = [collectionId, ...(assetId === null ? [] : [assetId])];
      const count = await db.$count(
        shares,
        and(
          eq(shares.organizationId, organizationId),
          inArray(shares.targetId, shown),
          isOpenAt(now),
        ),
      );
      return count > 0;
    },

    async findUpload(key: { organizationId: string; id: string }) {
      const [row] = await activeUpload(db, key);
      if (!row || row.storageUploadId === null) return null;
      return { key: row.key, storageUploadId: row.storageUploadId };
    },
  };
}
