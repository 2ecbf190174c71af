import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../../db/executor.ts';
import { statement, statementByShape } from '../../../db/session/statement.ts';
import { assets, assetVersions, storedObjects } from '../../../db/generated/schema.ts';
import type { RowWindow } from '../../../kernel/pagination.ts';
import { isStoredObject } from '../../../domain/stored-objects/queries.ts';

const itsAsset = and(
  eq(assets.organizationId, sql.placeholder('organizationId')),
  eq(assets.id, assetVersions.assetId),
);

const itsContent = isStoredObject({
  organizationId: sql.placeholder('organizationId'),
  id: assetVersions.storedObjectId,
});

const ofAsset = and(
  eq(assetVersions.organizationId, sql.placeholder('organizationId')),
  eq(assetVersions.assetId, sql.placeholder('assetId')),
  isNull(assets.deletedAt),
);

interface PageShape {
  readonly isContinued: boolean;
}

const pageOfVersions = statementByShape((db, { isContinued }: PageShape) =>
  db
    .select({
      versionNumber: assetVersions.versionNumber,
      contentType: assetVersions.contentType,
      createdBy: assetVersions.createdBy,
      createdAt: assetVersions.createdAt,
      restoredFrom: assetVersions.restoredFrom,
      reviewStatus: assetVersions.reviewStatus,
      reviewedBy: assetVersions.reviewedBy,
      reviewedAt: assetVersions.reviewedAt,
      fileSizeBytes: storedObjects.sizeBytes,
      eTag: storedObjects.eTag,
      isCurrent: sql<boolean>`${assetVersions.versionNumber} = ${assets.currentVersion}`,
    })
    .from(assetVersions)
    .innerJoin(assets, itsAsset)
    .innerJoin(storedObjects, itsContent)
    .where(
      and(
        ofAsset,
        isContinued ? lt(assetVersions.versionNumber, sql.placeholder('below')) : undefined,
      ),
    )
    .orderBy(desc(assetVersions.versionNumber))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset')),
);

const versionCount = statement((db) =>
  db
    .select({ total: sql<number>`count(*)::int` })
    .from(assetVersions)
    .innerJoin(assets, itsAsset)
    .where(ofAsset),
);

export function versionQueries(db: Database) {
  return {
    /** Newest first; a total of 0 means that there is no such asset. */
    async list(asset: { organizationId: string; assetId: string }, window: RowWindow) {
      const { limit, offset, after } = window;
      const [rows, [count]] = await Promise.all([
        pageOfVersions(
          db,
          { isContinued: after !== null },
          { ...asset, limit, offset, ...(after && { below: Number(after.sortValue) }) },
        ),
        versionCount(db, asset),
      ]);
      return { rows, total: count?.total ?? 0 };
    },
  };
}

export type VersionRow = Awaited<
  ReturnType<ReturnType<typeof versionQueries>['list']>
>['rows'][number];

/** The content of a version: the part that another version can repeat. */
export interface VersionContent {
  readonly storedObjectId: string;
  /** Storage key, the same in each organization that has the object. */
  readonly key: string;
  readonly contentType: string;
  readonly fileSizeBytes: number;
}

export async function findVersionContent(
  tx: Transaction,
  version: { organizationId: string; assetId: string; versionNumber: number },
): Promise<VersionContent | null> {
  const [row] = await tx
    .select({
      storedObjectId: assetVersions.storedObjectId,
      key: storedObjects.key,
      contentType: assetVersions.contentType,
      fileSizeBytes: storedObjects.sizeBytes,
    })
    .from(assetVersions)
    .innerJoin(
      storedObjects,
      isStoredObject({ organizationId: version.organizationId, id: assetVersions.storedObjectId }),
    )
    .where(
      and(
        eq(assetVersions.organizationId, version.organizationId),
        eq(assetVersions.assetId, version.assetId),
        eq(assetVersions.versionNumber, version.versionNumber),
      ),
    );
  return row ?? null;
}

export interface NewVersion {
  readonly organizationId: string;
  readonly assetId: string;
  readonly versionNumber: number;
  readonly content: VersionContent;
  readonly createdBy: string;
  readonly now: Date;
  /** The version of the same asset that it repeats. */
  readonly restoredFrom: number | null;
}

export async function insertVersion(tx: Transaction, version: NewVersion): Promise<void> {
  await tx.insert(assetVersions).values({
    organizationId: version.organizationId,
    assetId: version.assetId,
    versionNumber: version.versionNumber,
    storedObjectId: version.content.storedObjectId,
    contentType: version.content.contentType,
    createdBy: version.createdBy,
    createdAt: version.now,
    restoredFrom: version.restoredFrom,
  });
}

/** Sets the current version of a locked asset. */
export async function setCurrentVersion(tx: Transaction, version: NewVersion): Promise<void> {
  await tx
    .update(assets)
    .set({
      currentVersion: version.versionNumber,
      contentType: version.content.contentType,
      fileSizeBytes: version.content.fileSizeBytes,
      updatedAt: version.now,
    })
    .where(and(eq(assets.organizationId, version.organizationId), eq(assets.id, version.assetId)));
}
