import { shareRetentionDays } from '@atelier/contract';
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
}: Pick<JobDeps, 'db' | 'clock' | 'shareTokens' | 'log'>): Promise<void> {
  const now = clock.now();
  const past = new Date(now.getTime() - shareRetentionDays * dayMs);
  await deleteTicketsUntil(db, now);
  await deleteViewsUntil(db, past);
  await deleteSharesEndedBy(db, past);
  await deletePictures(db, { madeBy: past, now });
  await resealAll({
    list: (page) => sealedOtherwise(db, shareTokens.currentKey, page),
    reseal: (share) => shareTokens.resealed(share),
    store: (share, token) => storeResealed(db, share, token),
    log,
    missing: 'the key of the links of shares is missing',
  });
}
