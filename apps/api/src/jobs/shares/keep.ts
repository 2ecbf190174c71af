import { shareRetentionDays } from '@atelier/contract';
import type { Batches } from '../../domain/batches/queries.ts';
import { resealAll } from '../../domain/resealing/reseal-all.ts';
import { dayMs } from '../../kernel/durations.ts';
import type { JobDeps } from '../job-deps.ts';
import {
  deletePictures,
  deleteSharesEndedBy,
  deleteTicketsUntil,
  deleteViewsUntil,
  sealedOtherwise,
  storeResealed,
} from './queries.ts';

/**
 * Removes what visitors left behind, shares that ended long ago, and pictures that no share shows; seals tokens with the
 * current key, before an older one is removed. Idempotent.
 */
export async function keepShares({
  db,
  clock,
  shareTokens,
  log,
  signal,
}: Pick<JobDeps, 'db' | 'clock' | 'shareTokens' | 'log'> & Batches): Promise<void> {
  const now = clock.now();
  const past = new Date(now.getTime() - shareRetentionDays * dayMs);
  const batches = { db, signal };
  await deleteTicketsUntil(batches, now);
  await deleteViewsUntil(batches, past);
  await deleteSharesEndedBy(batches, past);
  await deletePictures(batches, { madeBy: past, now });
  await resealAll({
    list: (page) => sealedOtherwise(db, shareTokens.currentKey, page),
    reseal: (share) => shareTokens.resealed(share),
    store: (share, token) => storeResealed(db, share, token),
    log,
    signal,
    missing: 'the key of the links of shares is missing',
  });
}
