import { enqueueJob } from '../../domain/job-queue.ts';
import {
  indexPiece,
  indexResources,
  type Piece,
} from '../../domain/search-index/index-resources.ts';
import { lockIndex } from '../../domain/search-index/queries/rows.ts';
import { findTeamsOf } from '../../domain/search-index/queries/sources.ts';
import type { JobDeps } from '../job-deps.ts';

/** Replaces a piece of an index, and enqueues the next one in the same transaction: a rebuild survives any process. */
export async function indexSearch({ db }: Pick<JobDeps, 'db'>, piece: Piece): Promise<void> {
  await db.transaction(async (tx) => {
    const next = await indexPiece(tx, piece);
    if (next) await enqueueJob(tx, 'index_search', next);
  });
}

/** Replaces a person in all their teams: what accounts do belongs to no organization, and isn't followed. Idempotent. */
export async function indexPerson(
  { db }: Pick<JobDeps, 'db'>,
  { userId }: { userId: string },
  signal: AbortSignal,
): Promise<void> {
  for (const organizationId of await findTeamsOf(db, userId)) {
    signal.throwIfAborted();
    await db.transaction(async (tx) => {
      if (!(await lockIndex(tx, organizationId))) return;
      await indexResources(tx, { organizationId, type: 'person' }, [userId]);
    });
  }
}
