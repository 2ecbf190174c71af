import type { Database } from '../../db/executor.ts';
import type { Batches } from '../../domain/batches/queries.ts';
import { expiredDeletion, lastPurgedDeletion } from '../../domain/bin.ts';
import { lockStorageUsage } from '../../domain/storage-usage/queries.ts';
import { dropObjects } from '../../domain/stored-objects/queries.ts';
import type { Clock } from '../../ports/clock.ts';
import { enqueueJobOf, enqueueJobsOf } from '../../domain/job-queue.ts';
import type { JobDeps } from '../job-deps.ts';
import {
  areAssetsDue,
  deleteAssets,
  deleteCollections,
  deleteVersions,
  expireAssets,
  hasContent,
  lockDueAssets,
  lockDueCollections,
  organizationsWithDue,
  withVersions,
  type Due,
} from './queries.ts';

/** Batch size of one transaction: assets or collections. */
const batchRows = 50;

/** Versions of one transaction: an asset may have any number of them. */
const batchVersions = 2_000;

interface PurgeDeps extends Batches {
  readonly clock: Clock;
}

/**
 * Permanently deletes everything that has been in the bin for 30 days; jobs of the same transactions remove its
 * objects from the storage. Locked rows wait for the next run.
 *
 * @throws Error if some organizations failed, after all others were purged
 * @see docs/decisions/0022-library-lists-and-bin.md
 */
export async function purgeBin(deps: PurgeDeps & Pick<JobDeps, 'log'>): Promise<void> {
  const { db, clock, log, signal } = deps;
  const now = clock.now();
  const deletedBy = lastPurgedDeletion(now);
  let failed = 0;
  for (const organizationId of await organizationsWithDue(db, deletedBy)) {
    try {
      await purge(deps, { organizationId, deletedBy, batchRows }, now);
    } catch (err) {
      signal?.throwIfAborted();
      failed += 1;
      log.error({ err, organizationId }, 'the bin of an organization could not be purged');
    }
  }
  if (failed > 0) throw new Error(`the bins of ${failed} organizations could not be purged`);
}

/**
 * Like {@link purgeBin}, for one organization.
 *
 * @throws Error if some of the assets are locked: what a person has deleted permanently doesn't wait for the next run
 */
export async function purgeExpired(deps: PurgeDeps, organizationId: string): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const due = { organizationId, deletedBy: lastPurgedDeletion(now), batchRows };
  await purge(deps, due, now);
  if (await areAssetsDue(db, due)) throw new Error('some of the assets are locked');
}

/**
 * Permanently deletes everything in the bin of an organization, however long it has been there.
 *
 * @throws Error if some of it is locked
 */
export async function purgeOrganization(deps: PurgeDeps, organizationId: string): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  await purge(deps, { organizationId, deletedBy: now, batchRows }, now);
  if (await hasContent(db, organizationId)) throw new Error('some of the content is locked');
}

async function purge({ db, signal }: PurgeDeps, due: Due, now: Date): Promise<void> {
  await untilNoneIsLeft(() => purgeAssets(db, due, now), signal);
  await untilNoneIsLeft(() => purgeCollections(db, due), signal);
}

/** @param purgeBatch - returns the number of purged rows */
async function untilNoneIsLeft(
  purgeBatch: () => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<void> {
  do signal?.throwIfAborted();
  while ((await purgeBatch()) > 0);
}

async function purgeAssets(db: Database, due: Due, now: Date): Promise<number> {
  const { organizationId } = due;
  return db.transaction(async (tx) => {
    await lockStorageUsage(tx, { organizationId, now });
    const assetIds = await lockDueAssets(tx, due);
    if (assetIds.length === 0) return 0;
    const objectIds = await deleteVersions(tx, { organizationId, assetIds }, batchVersions);
    const objects = await dropObjects(tx, { organizationId, ids: [...new Set(objectIds)] });
    // What concerns other organizations waits for the commit: they may be on other servers.
    await enqueueJobsOf(tx, organizationId, { name: 'release_object', payloads: objects });
    const begunIds = await withVersions(tx, { organizationId, assetIds });
    if (begunIds.length > 0) {
      // Incomplete, they may not be restored, also by a process whose clock is behind.
      await expireAssets(tx, { organizationId, assetIds: begunIds }, expiredDeletion(now));
    }
    const purgedIds = assetIds.filter((id) => !begunIds.includes(id));
    if (purgedIds.length > 0) {
      await deleteAssets(tx, { organizationId, assetIds: purgedIds });
      const payload = { assetIds: purgedIds };
      await enqueueJobOf(tx, organizationId, { name: 'forget_origins', payload });
    }
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
