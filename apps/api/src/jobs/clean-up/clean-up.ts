import { exportDays, lifetimes } from '@atelier/contract';
import { removeExportsUntil } from '../../domain/account-exports/queries.ts';
import type { Batches } from '../../domain/batches/queries.ts';
import { undoableSince } from '../../domain/email-changes/queries.ts';
import type { JobDeps } from '../job-deps.ts';
import {
  deleteApiKeysDeadBy,
  deleteApprovalsRequestedBy,
  deleteEndedRateLimits,
  deleteExpiredChallenges,
  deleteExpiredKeys,
  deleteExpiredMailedTokens,
  deleteExpiredRefreshTokens,
  deleteExpiredResponses,
  deleteExpiredSignIns,
  deleteExpiredUploadClaims,
  deleteOldEmailChanges,
  deleteReplacedJobs,
  deleteSessionsExpiredBy,
  eraseSealedPairsUntil,
} from './queries.ts';

/** How long an ended session can still be looked up, in seconds. */
const sessionRetentionSeconds = 30 * 24 * 60 * 60;

/** How long an API key that works no longer is listed, in seconds: the history names it. */
const apiKeyRetentionSeconds = 90 * 24 * 60 * 60;

/** How long approvals are kept after their request, in seconds. */
const approvalRetentionSeconds = 7 * 24 * 60 * 60;

type CleanUpDeps = Pick<JobDeps, 'db' | 'clock' | 'log'> & Batches;
type Step = (batches: Batches, now: Date) => Promise<void>;

const steps: Readonly<Record<string, Step>> = {
  'rate limits': deleteEndedRateLimits,
  'idempotency keys': deleteExpiredKeys,
  'committed responses': deleteExpiredResponses,
  'upload claims': deleteExpiredUploadClaims,
  'mailed tokens': deleteExpiredMailedTokens,
  'changes of emails': (batches, now) =>
    deleteOldEmailChanges(batches, {
      requested: before(now, lifetimes.emailVerificationTokenSeconds),
      changed: undoableSince(now),
    }),
  'account exports': (batches, now) =>
    removeExportsUntil(batches.db, before(now, exportDays * 24 * 60 * 60)),
  'sign-ins': deleteExpiredSignIns,
  challenges: deleteExpiredChallenges,
  'refresh tokens': deleteExpiredRefreshTokens,
  'sealed tokens': (batches, now) =>
    eraseSealedPairsUntil(batches, before(now, lifetimes.refreshRepetitionSeconds)),
  sessions: (batches, now) =>
    deleteSessionsExpiredBy(batches, before(now, sessionRetentionSeconds)),
  'API keys': (batches, now) => deleteApiKeysDeadBy(batches, before(now, apiKeyRetentionSeconds)),
  approvals: (batches, now) =>
    deleteApprovalsRequestedBy(batches, before(now, approvalRetentionSeconds)),
  'replaced jobs': deleteReplacedJobs,
};

/**
 * Removes expired rows that nothing reads any more. Idempotent.
 *
 * @throws Error if a step failed, after all others
 */
export async function cleanUp({ db, clock, log, signal }: CleanUpDeps): Promise<void> {
  const now = clock.now();
  const failed: string[] = [];
  for (const [rows, clean] of Object.entries(steps)) {
    signal?.throwIfAborted();
    try {
      await clean({ db, signal }, now);
    } catch (err) {
      signal?.throwIfAborted();
      failed.push(rows);
      log.error({ err, rows }, 'expired rows could not be removed');
    }
  }
  if (failed.length > 0) throw new Error(`not removed: ${failed.join(', ')}`);
}

function before(timestamp: Date, seconds: number): Date {
  return new Date(timestamp.getTime() - seconds * 1000);
}
