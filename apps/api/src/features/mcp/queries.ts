import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import {
  assets,
  assetVersions,
  shares,
  storedObjects,
  uploads,
} from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';
import { isOpenAt } from '../../domain/shares/queries/visits.ts';
import { isStoredObject } from '../../domain/stored-objects/queries.ts';

const contentOfVersion = statement((db) =>
  db
    .select({ key: storedObjects.key, versionNumber: assetVersions.versionNumber })
    .from(assets)
    .innerJoin(
      assetVersions,
      and(
        eq(assetVersions.organizationId, sql.placeholder('organizationId')),
        eq(assetVersions.assetId, assets.id),
        eq(
          assetVersions.versionNumber,
          sql`coalesce(${sql.placeholder('versionNumber')}::int, ${assets.currentVersion})`,
        ),
      ),
    )
    .innerJoin(
      storedObjects,
      isStoredObject({
        organizationId: sql`${sql.placeholder('organizationId')}`,
        id: assetVersions.storedObjectId,
      }),
    )
    .where(
      and(
        eq(assets.organizationId, sql.placeholder('organizationId')),
        eq(assets.id, sql.placeholder('id')),
        isNull(assets.deletedAt),
      ),
    ),
);

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

/** Where in the storage the content is that an assistant reads or writes. Who may, the operations of the API have decided. */
export function mcpQueries(db: Database) {
  return {
    /** @param key - `versionNumber` null for the current version */
    async findContent(key: { organizationId: string; id: string; versionNumber: number | null }) {
      const [row] = await contentOfVersion(db, key);
      return row ?? null;
    },

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
