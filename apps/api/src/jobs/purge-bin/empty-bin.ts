import { expiredDeletion, lastPurgedDeletion } from '../../domain/bin.ts';
import { expireEmptied } from '../../domain/emptied-bin/queries.ts';
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
 */
export async function emptyBin(
  { db, clock }: Pick<JobDeps, 'db' | 'clock'>,
  { organizationId, emptied }: Jobs['empty_bin'],
  signal: AbortSignal,
): Promise<void> {
  if (emptied) {
    const { createdBy, collectionId } = emptied;
    const part = {
      organizationId,
      createdBy,
      collectionId,
      deletedBy: new Date(emptied.deletedBy),
    };
    const expireBatch = () =>
      db.transaction((tx) => {
        const now = clock.now();
        const times = { deletedAfter: lastPurgedDeletion(now), expiredAt: expiredDeletion(now) };
        return expireEmptied(tx, { ...part, ...times }, batchRows);
      });
    while ((await expireBatch()) > 0) signal.throwIfAborted();
  }
  await purgeExpired({ db, clock }, organizationId);
}
