import { lifetimes } from '@atelier/contract';
import type { Database } from '../../db/executor.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  deleteEndedRateLimits,
  deleteExpiredKeys,
  deleteExpiredMailedTokens,
  deleteExpiredRefreshTokens,
  deleteExpiredSignIns,
  deleteSessionsExpiredBy,
  eraseSealedPairsUntil,
} from './queries.ts';

/** How long an ended session can still be looked up, in seconds. */
const sessionRetentionSeconds = 30 * 24 * 60 * 60;

/** Removes expired rows that nothing reads any more. Idempotent. */
export async function cleanUp({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  await deleteEndedRateLimits(db, now);
  await deleteExpiredKeys(db, now);
  await deleteExpiredMailedTokens(db, now);
  await deleteExpiredSignIns(db, now);
  await deleteExpiredRefreshTokens(db, now);
  await eraseSealedPairsUntil(db, before(now, lifetimes.refreshRepetitionSeconds));
  await deleteSessionsExpiredBy(db, before(now, sessionRetentionSeconds));
}

function before(timestamp: Date, seconds: number): Date {
  return new Date(timestamp.getTime() - seconds * 1000);
}
