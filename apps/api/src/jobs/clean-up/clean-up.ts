import { exportDays, lifetimes } from '@atelier/contract';
import type { Database } from '../../db/executor.ts';
import { removeExportsUntil } from '../../domain/account-exports/queries.ts';
import { undoableSince } from '../../domain/email-changes/queries.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  deleteApiKeysDeadBy,
  deleteEndedRateLimits,
  deleteExpiredChallenges,
  deleteExpiredKeys,
  deleteExpiredMailedTokens,
  deleteExpiredRefreshTokens,
  deleteExpiredSignIns,
  deleteExpiredUploadClaims,
  deleteOldEmailChanges,
  deleteSessionsExpiredBy,
  eraseSealedPairsUntil,
} from './queries.ts';

/** How long an ended session can still be looked up, in seconds. */
const sessionRetentionSeconds = 30 * 24 * 60 * 60;

/** How long an API key that works no longer is listed, in seconds: the history names it. */
const apiKeyRetentionSeconds = 90 * 24 * 60 * 60;

/** Removes expired rows that nothing reads any more. Idempotent. */
export async function cleanUp({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  await deleteEndedRateLimits(db, now);
  await deleteExpiredKeys(db, now);
  await deleteExpiredUploadClaims(db, now);
  await deleteExpiredMailedTokens(db, now);
  await deleteOldEmailChanges(db, {
    requested: before(now, lifetimes.emailVerificationTokenSeconds),
    changed: undoableSince(now),
  });
  await removeExportsUntil(db, before(now, exportDays * 24 * 60 * 60));
  await deleteExpiredSignIns(db, now);
  await deleteExpiredChallenges(db, now);
  await deleteExpiredRefreshTokens(db, now);
  await eraseSealedPairsUntil(db, before(now, lifetimes.refreshRepetitionSeconds));
  await deleteSessionsExpiredBy(db, before(now, sessionRetentionSeconds));
  await deleteApiKeysDeadBy(db, before(now, apiKeyRetentionSeconds));
}

function before(timestamp: Date, seconds: number): Date {
  return new Date(timestamp.getTime() - seconds * 1000);
}
