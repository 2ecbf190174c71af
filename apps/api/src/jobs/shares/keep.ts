import { shareRetentionDays } from '@atelier/contract';
import type { JobDeps } from '../job-deps.ts';
import {
  deletePicturesUntil,
  deleteSharesEndedBy,
  deleteTicketsUntil,
  deleteViewsUntil,
  sealedOtherwise,
  storeResealed,
} from './queries.ts';

const dayMs = 24 * 60 * 60 * 1000;
const batchRows = 500;

/**
 * Removes what visitors left behind, and shares that ended long ago; seals tokens with the current key, before an older
 * one is removed. Idempotent.
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
  await deletePicturesUntil(db, past);
  let lost = 0;
  let after: string | null = null;
  for (;;) {
    const sealed = await sealedOtherwise(db, shareTokens.currentKey, { after, limit: batchRows });
    for (const share of sealed) {
      const resealed = shareTokens.resealed(share);
      if (resealed) await storeResealed(db, share, resealed);
      else lost += 1;
    }
    after = sealed.at(-1)?.id ?? null;
    if (sealed.length < batchRows) break;
  }
  if (lost > 0) log.error({ lost }, 'the key of the links of shares is missing');
}
