import { and, isNotNull, lte, or, sql } from 'drizzle-orm';
import {
  apiKeys,
  approvals,
  committedResponses,
  emailChangeRequests,
  emailChanges,
  exchangeCodes,
  idempotencyKeys,
  mailedTokens,
  rateLimits,
  refreshTokens,
  returnedSignInStates,
  sessions,
  uploadClaims,
  webauthnChallenges,
} from '../../db/generated/schema.ts';
import {
  deleteInBatches,
  deleteOfOrganizations,
  inBatches,
  isInBatch,
  type Batches,
} from '../../domain/batches/queries.ts';
import { isReplaced } from '../../domain/job-queue.ts';

/** Removes counters whose window is over: they no longer count. */
export async function deleteEndedRateLimits(batches: Batches, now: Date): Promise<void> {
  await deleteInBatches(batches, rateLimits, lte(rateLimits.expire, now.getTime()));
}

export async function deleteExpiredKeys(batches: Batches, now: Date): Promise<void> {
  await deleteInBatches(batches, idempotencyKeys, lte(idempotencyKeys.expiresAt, now));
}

export async function deleteExpiredResponses(batches: Batches, now: Date): Promise<void> {
  await deleteOfOrganizations(batches, committedResponses, () =>
    lte(committedResponses.expiresAt, now),
  );
}

export async function deleteExpiredUploadClaims(batches: Batches, now: Date): Promise<void> {
  await deleteInBatches(batches, uploadClaims, lte(uploadClaims.expiresAt, now));
}

/** Deletes approvals that were requested until a time. */
export async function deleteApprovalsRequestedBy(batches: Batches, until: Date): Promise<void> {
  await deleteOfOrganizations(batches, approvals, () => lte(approvals.createdAt, until));
}

export async function deleteExpiredMailedTokens(batches: Batches, now: Date): Promise<void> {
  await deleteInBatches(batches, mailedTokens, lte(mailedTokens.expiresAt, now));
}

/** Removes requested changes of emails that can no longer be confirmed, and the former emails that no longer return. */
export async function deleteOldEmailChanges(
  batches: Batches,
  until: { requested: Date; changed: Date },
): Promise<void> {
  const { requested, changed } = until;
  await deleteInBatches(
    batches,
    emailChangeRequests,
    lte(emailChangeRequests.requestedAt, requested),
  );
  await deleteInBatches(batches, emailChanges, lte(emailChanges.changedAt, changed));
}

/** Removes expired sign-ins. New sign-ins remove some of them; after the last one nothing else would. */
export async function deleteExpiredSignIns(batches: Batches, now: Date): Promise<void> {
  await deleteInBatches(batches, exchangeCodes, lte(exchangeCodes.expiresAt, now));
  await deleteInBatches(batches, returnedSignInStates, lte(returnedSignInStates.expiresAt, now));
}

export async function deleteExpiredChallenges(batches: Batches, now: Date): Promise<void> {
  await deleteInBatches(batches, webauthnChallenges, lte(webauthnChallenges.expiresAt, now));
}

/** Only expired tokens: a revoked one still reveals its replay until then. */
export async function deleteExpiredRefreshTokens(batches: Batches, now: Date): Promise<void> {
  await deleteInBatches(batches, refreshTokens, lte(refreshTokens.expiresAt, now));
}

/** Erases the sealed tokens of refreshes that can't be repeated any more. Their first use erases them too. */
export async function eraseSealedPairsUntil(batches: Batches, timestamp: Date): Promise<void> {
  const due = and(isNotNull(refreshTokens.sealedPair), lte(refreshTokens.issuedAt, timestamp));
  const { db } = batches;
  await inBatches(batches, () =>
    db
      .update(refreshTokens)
      .set({ sealedPair: null })
      .where(isInBatch(db, refreshTokens, due))
      .returning({ row }),
  );
}

/** Also removes their refresh tokens. A session that ended early expired within hours of that. */
export async function deleteSessionsExpiredBy(batches: Batches, timestamp: Date): Promise<void> {
  await deleteInBatches(batches, sessions, lte(sessions.expiresAt, timestamp));
}

/** Deletes the keys that were revoked or expired at a time or before, with the organizations that they reached. */
export async function deleteApiKeysDeadBy(batches: Batches, timestamp: Date): Promise<void> {
  const due = or(lte(apiKeys.revokedAt, timestamp), lte(apiKeys.expiresAt, timestamp));
  await deleteInBatches(batches, apiKeys, due);
}

/** Deletes jobs whose successor does their work: the queue would keep them as failed ones. */
export async function deleteReplacedJobs({ db }: Batches): Promise<void> {
  await db.execute(sql`
    delete from graphile_worker._private_jobs
    where id in (select id from graphile_worker.jobs where ${isReplaced})`);
}

const row = sql`ctid`;
