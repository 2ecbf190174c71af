import { and, eq, exists, gt, inArray, lte, ne, not, or, sql, type SQL } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { assets, assetVersions, collections, uploads } from '../../db/generated/schema.ts';

/** The expired rows of an organization. */
export interface Due {
  readonly organizationId: string;
  /** The latest deletion time. */
  readonly deletedBy: Date;
  /** Rows per transaction, so that none runs long or locks much. */
  readonly batchRows: number;
}

export async function organizationsWithDue(db: Database, deletedBy: Date): Promise<string[]> {
  const rows = await db
    .select({ id: assets.organizationId })
    .from(assets)
    .where(lte(assets.deletedAt, deletedBy))
    .union(
      db
        .select({ id: collections.organizationId })
        .from(collections)
        .where(lte(collections.deletedAt, deletedBy)),
    );
  return rows.map(({ id }) => id);
}

/**
 * Locks assets whose time in the bin is over. Skips locked ones, and the targets of unfinished
 * uploads: the upload is aborted first.
 *
 * @returns their ids
 */
export async function lockDueAssets(tx: Transaction, due: Due): Promise<string[]> {
  const rows = await tx
    .select({ id: assets.id })
    .from(assets)
    .where(isDueAsset(tx, due))
    .orderBy(assets.deletedAt, assets.id)
    .limit(due.batchRows)
    .for('update', { skipLocked: true });
  return rows.map(({ id }) => id);
}

/** Tells whether some of those are left: others had locked them. */
export async function areAssetsDue(db: Database, due: Due): Promise<boolean> {
  const rows = await db.select({ id: assets.id }).from(assets).where(isDueAsset(db, due)).limit(1);
  return rows.length > 0;
}

function isDueAsset(executor: Executor, due: Due): SQL | undefined {
  return and(
    eq(assets.organizationId, due.organizationId),
    lte(assets.deletedAt, due.deletedBy),
    not(isAimedAt(executor, due, sql`${uploads.targetAssetId} = ${assets}.id`)),
  );
}

/** Locks expired, empty collections. @returns their ids */
export async function lockDueCollections(tx: Transaction, due: Due): Promise<string[]> {
  const rows = await tx
    .select({ id: collections.id })
    .from(collections)
    .where(
      and(
        eq(collections.organizationId, due.organizationId),
        lte(collections.deletedAt, due.deletedBy),
        not(isAimedAt(tx, due, sql`${uploads.collectionId} = ${collections}.id`)),
        not(
          exists(
            tx
              .select({ one: sql`1` })
              .from(assets)
              .where(
                and(
                  eq(assets.organizationId, due.organizationId),
                  sql`${assets}.collection_id = ${collections}.id`,
                ),
              ),
          ),
        ),
      ),
    )
    .orderBy(collections.deletedAt, collections.id)
    .limit(due.batchRows)
    .for('update', { skipLocked: true });
  return rows.map(({ id }) => id);
}

function isAimedAt(executor: Executor, { organizationId }: Due, aim: SQL): SQL {
  return exists(
    executor
      .select({ one: sql`1` })
      .from(uploads)
      .where(and(eq(uploads.organizationId, organizationId), eq(uploads.status, 'ACTIVE'), aim)),
  );
}

/** Locked assets of an organization. */
export interface LockedAssets {
  readonly organizationId: string;
  readonly assetIds: readonly string[];
}

/** Deletes versions of the assets. @returns the ids of their objects, at most as many as asked for */
export async function deleteVersions(
  tx: Transaction,
  locked: LockedAssets,
  atMost: number,
): Promise<string[]> {
  const { organizationId, assetId, versionNumber } = assetVersions;
  const chosen = tx
    .select({ assetId, versionNumber })
    .from(assetVersions)
    .where(versionsOf(locked))
    .orderBy(assetId, versionNumber)
    .limit(atMost);
  const deleted = await tx
    .delete(assetVersions)
    .where(
      and(
        eq(organizationId, locked.organizationId),
        sql`(${assetId}, ${versionNumber}) in ${chosen}`,
      ),
    )
    .returning({ objectId: assetVersions.storedObjectId });
  return deleted.map(({ objectId }) => objectId);
}

/** Tells which of the assets have versions. @returns their ids */
export async function withVersions(tx: Transaction, locked: LockedAssets): Promise<string[]> {
  const found = await tx
    .selectDistinct({ id: assetVersions.assetId })
    .from(assetVersions)
    .where(versionsOf(locked));
  return found.map(({ id }) => id);
}

function versionsOf({ organizationId, assetIds }: LockedAssets): SQL | undefined {
  return and(
    eq(assetVersions.organizationId, organizationId),
    inArray(assetVersions.assetId, [...assetIds]),
  );
}

/** Lets the time of assets in the bin be over. */
export async function expireAssets(
  tx: Transaction,
  { organizationId, assetIds }: LockedAssets,
  deletedAt: Date,
): Promise<void> {
  await tx
    .update(assets)
    .set({ deletedAt })
    .where(
      and(
        eq(assets.organizationId, organizationId),
        inArray(assets.id, [...assetIds]),
        gt(assets.deletedAt, deletedAt),
      ),
    );
}

/** Also deletes the uploads that created or target them, and by cascade the marks. */
export async function deleteAssets(
  tx: Transaction,
  { organizationId, assetIds }: LockedAssets,
): Promise<void> {
  const ids = [...assetIds];
  await tx
    .delete(uploads)
    .where(
      and(
        eq(uploads.organizationId, organizationId),
        or(inArray(uploads.assetId, ids), inArray(uploads.targetAssetId, ids)),
      ),
    );
  await tx
    .delete(assets)
    .where(and(eq(assets.organizationId, organizationId), inArray(assets.id, ids)));
}

/** Also deletes the uploads into them, except those of assets that were moved elsewhere, and by cascade the marks. */
export async function deleteCollections(
  tx: Transaction,
  { organizationId, collectionIds }: { organizationId: string; collectionIds: string[] },
): Promise<void> {
  const uploadsInto = and(
    eq(uploads.organizationId, organizationId),
    inArray(uploads.collectionId, collectionIds),
  );
  // They still tell that the content was uploaded to the asset.
  await tx
    .update(uploads)
    .set({ collectionId: sql`${assets.collectionId}` })
    .from(assets)
    .where(
      and(uploadsInto, eq(assets.organizationId, organizationId), eq(assets.id, uploads.assetId)),
    );
  await tx.delete(uploads).where(and(uploadsInto, ne(uploads.status, 'ACTIVE')));
  await tx
    .delete(collections)
    .where(
      and(eq(collections.organizationId, organizationId), inArray(collections.id, collectionIds)),
    );
}

/**
 * Clears the source of assets in other organizations that were published from these. Each is changed by itself: they may be
 * on other servers. No more appear: publishing locks its source, and refuses one in the bin.
 */
export async function forgetOrigins(db: Database, assetIds: readonly string[]): Promise<void> {
  const published = await db
    .select({ organizationId: assets.organizationId, id: assets.id })
    .from(assets)
    .where(inArray(assets.publishedFromAssetId, [...assetIds]))
    .orderBy(assets.organizationId, assets.id);
  for (const { organizationId, id } of published) {
    await db
      .update(assets)
      .set({ publishedFromAssetId: null })
      .where(and(eq(assets.organizationId, organizationId), eq(assets.id, id)));
  }
}

/** Whether an organization has assets or collections, in the bin or not. */
export async function hasContent(db: Database, organizationId: string): Promise<boolean> {
  const [files, folders] = await Promise.all([
    db.$count(assets, eq(assets.organizationId, organizationId)),
    db.$count(collections, eq(collections.organizationId, organizationId)),
  ]);
  return files + folders > 0;
}
