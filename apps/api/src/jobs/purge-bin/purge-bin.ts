import type { Database } from '../../db/executor.ts';
import { lastPurgedDeletion } from '../../domain/bin.ts';
import { lockStorageUsage } from '../../domain/storage-usage/queries.ts';
import { dropObjects } from '../../domain/stored-objects/queries.ts';
import type { Clock } from '../../ports/clock.ts';
import { enqueueJobOf, enqueueJobsOf } from '../../domain/job-queue.ts';
import {
  areAssetsDue,
  deleteAssets,
  deleteCollections,
  deleteVersions,
  hasContent,
  lockDueAssets,
  lockDueCollections,
  objectsOf,
  organizationsWithDue,
  type Due,
} from './queries.ts';

/** Batch size of one transaction: assets, each with all of its versions, or collections. */
const batchRows = 50;

/**
 * Permanently deletes everything that has been in the bin for 30 days; jobs of the same transactions remove its
 * objects from the storage. Locked rows wait for the next run.
 *
 * @see docs/decisions/0022-library-lists-and-bin.md
 */
export async function purgeBin({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  const deletedBy = lastPurgedDeletion(now);
  for (const organizationId of await organizationsWithDue(db, deletedBy)) {
    await purge(db, { organizationId, deletedBy, batchRows }, now);
  }
}

/**
 * Like {@link purgeBin}, for one organization.
 *
 * @throws Error if some of the assets are locked: what a person has deleted permanently doesn't wait for the next run
 */
export async function purgeExpired(
  { db, clock }: { db: Database; clock: Clock },
  organizationId: string,
): Promise<void> {
  const now = clock.now();
  const due = { organizationId, deletedBy: lastPurgedDeletion(now), batchRows };
  await purge(db, due, now);
  if (await areAssetsDue(db, due)) throw new Error('some of the assets are locked');
}

/**
 * Permanently deletes everything in the bin of an organization, however long it has been there.
 *
 * @throws Error if some of it is locked
 */
export async function purgeOrganization(
  { db, clock }: { db: Database; clock: Clock },
  organizationId: string,
): Promise<void> {
  const now = clock.now();
  await purge(db, { organizationId, deletedBy: now, batchRows }, now);
  if (await hasContent(db, organizationId)) throw new Error('some of the content is locked');
}

async function purge(db: Database, due: Due, now: Date): Promise<void> {
  await untilNoneIsLeft(() => purgeAssets(db, due, now));
  await untilNoneIsLeft(() => purgeCollections(db, due));
}

/** @param purgeBatch - returns the number of purged rows */
async function untilNoneIsLeft(purgeBatch: () => Promise<number>): Promise<void> {
  while ((await purgeBatch()) > 0);
}

async function purgeAssets(db: Database, due: Due, now: Date): Promise<number> {
  const { organizationId } = due;
  return db.transaction(async (tx) => {
    await lockStorageUsage(tx, { organizationId, now });
    const assetIds = await lockDueAssets(tx, due);
    if (assetIds.length === 0) return 0;
    const locked = { organizationId, assetIds };
    const ids = await objectsOf(tx, locked);
    await deleteVersions(tx, locked);
    const objects = await dropObjects(tx, { organizationId, ids });
    await deleteAssets(tx, locked);
    // What concerns other organizations waits for the commit: they may be on other servers.
    await enqueueJobsOf(tx, organizationId, { name: 'release_object', payloads: objects });
    await enqueueJobOf(tx, organizationId, { name: 'forget_origins', payload: { assetIds } });
    return assetIds.length;
  });
}

async function purgeCollections(db: Database, due: Due): Promise<number> {
  const { organizationId } = due;
  return db.transaction(async (tx) => {
    const collectionIds = await lockDueCollections(tx, due);
    if (collectionIds.length > 0) await deleteCollections(tx, { organizationId, collectionIds });
    return collectionIds.length;
  });
}
