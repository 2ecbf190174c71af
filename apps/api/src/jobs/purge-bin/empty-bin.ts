import { expiredDeletion, lastPurgedDeletion } from '../../domain/bin.ts';
import { countEmptied, expireEmptied } from '../../domain/emptied-bin/queries.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { purgeExpired } from './purge-bin.ts';

/** Assets of one transaction. */
const batchRows = 500;

/**
 * Deletes permanently what has expired in the bin of an organization, and before that the rest of what was emptied.
 * Repeated runs go on where the last one stopped.
 *
 * @param signal - aborts between two batches
 * @throws Error if some of it is locked: a collection that has expired doesn't leave assets in the bin
 */
export async function emptyBin(
  { db, clock }: Pick<JobDeps, 'db' | 'clock'>,
  { organizationId, emptied }: Jobs['empty_bin'],
  signal: AbortSignal,
): Promise<void> {
  if (emptied) {
    const { createdBy, collectionId } = emptied;
    const part = () => {
      const now = clock.now();
      return {
        organizationId,
        createdBy,
        collectionId,
        deletedBy: new Date(emptied.deletedBy),
        deletedAfter: lastPurgedDeletion(now),
        expiredAt: expiredDeletion(now),
      };
    };
    const expireBatch = () => db.transaction((tx) => expireEmptied(tx, part(), batchRows));
    while ((await expireBatch()) > 0) signal.throwIfAborted();
    const left = await db.transaction((tx) => countEmptied(tx, part()));
    if (left.assetCount + left.collectionCount > 0) throw new Error('some of the bin is locked');
  }
  await purgeExpired({ db, clock, signal }, organizationId);
}
