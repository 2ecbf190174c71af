import { and, inArray, isNotNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Database, Executor } from '../../db/executor.ts';
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
import { isReplaced } from '../../domain/job-queue.ts';
import { batchRows, deleteOfOrganizations } from '../queries.ts';

/** Removes counters whose window is over: they no longer count. */
export async function deleteEndedRateLimits(db: Executor, now: Date): Promise<void> {
  await deleteWhere(db, rateLimits, lte(rateLimits.expire, now.getTime()));
}

export async function deleteExpiredKeys(db: Executor, now: Date): Promise<void> {
  await deleteWhere(db, idempotencyKeys, lte(idempotencyKeys.expiresAt, now));
}

export async function deleteExpiredResponses(db: Database, now: Date): Promise<void> {
  await deleteOfOrganizations(db, committedResponses, () => lte(committedResponses.expiresAt, now));
}

export async function deleteExpiredUploadClaims(db: Executor, now: Date): Promise<void> {
  await deleteWhere(db, uploadClaims, lte(uploadClaims.expiresAt, now));
}

/** Deletes approvals that were requested until a time. */
export async function deleteApprovalsRequestedBy(db: Database, until: Date): Promise<void> {
  await deleteOfOrganizations(db, approvals, () => lte(approvals.createdAt, until));
}

export async function deleteExpiredMailedTokens(db: Executor, now: Date): Promise<void> {
  await deleteWhere(db, mailedTokens, lte(mailedTokens.expiresAt, now));
}

/** Removes requested changes of emails that can no longer be confirmed, and the former emails that no longer return. */
export async function deleteOldEmailChanges(
  db: Executor,
  until: { requested: Date; changed: Date },
): Promise<void> {
  const { requested, changed } = until;
  await deleteWhere(db, emailChangeRequests, lte(emailChangeRequests.requestedAt, requested));
  await deleteWhere(db, emailChanges, lte(emailChanges.changedAt, changed));
}

/** Removes expired sign-ins. New sign-ins remove some of them; after the last one nothing else would. */
export async function deleteExpiredSignIns(db: Executor, now: Date): Promise<void> {
  await deleteWhere(db, exchangeCodes, lte(exchangeCodes.expiresAt, now));
  await deleteWhere(db, returnedSignInStates, lte(returnedSignInStates.expiresAt, now));
}

export async function deleteExpiredChallenges(db: Executor, now: Date): Promise<void> {
  await deleteWhere(db, webauthnChallenges, lte(webauthnChallenges.expiresAt, now));
}

/** Only expired tokens: a revoked one still reveals its replay until then. */
export async function deleteExpiredRefreshTokens(db: Executor, now: Date): Promise<void> {
  await deleteWhere(db, refreshTokens, lte(refreshTokens.expiresAt, now));
}

/** Erases the sealed tokens of refreshes that can't be repeated any more. Their first use erases them too. */
export async function eraseSealedPairsUntil(db: Executor, timestamp: Date): Promise<void> {
  const due = and(isNotNull(refreshTokens.sealedPair), lte(refreshTokens.issuedAt, timestamp));
  await inBatches(() =>
    db
      .update(refreshTokens)
      .set({ sealedPair: null })
      .where(inArray(row, batchOf(db, refreshTokens, due)))
      .returning({ row }),
  );
}

/** Also removes their refresh tokens. A session that ended early expired within hours of that. */
export async function deleteSessionsExpiredBy(db: Executor, timestamp: Date): Promise<void> {
  await deleteWhere(db, sessions, lte(sessions.expiresAt, timestamp));
}

/** Deletes the keys that were revoked or expired at a time or before, with the organizations that they reached. */
export async function deleteApiKeysDeadBy(db: Executor, timestamp: Date): Promise<void> {
  const due = or(lte(apiKeys.revokedAt, timestamp), lte(apiKeys.expiresAt, timestamp));
  if (due) await deleteWhere(db, apiKeys, due);
}

/** Deletes jobs whose successor does their work: the queue would keep them as failed ones. */
export async function deleteReplacedJobs(db: Executor): Promise<void> {
  await db.execute(sql`
    delete from graphile_worker._private_jobs
    where id in (select id from graphile_worker.jobs where ${isReplaced})`);
}

async function deleteWhere(db: Executor, table: PgTable, due: SQL): Promise<void> {
  await inBatches(() =>
    db
      .delete(table)
      .where(inArray(row, batchOf(db, table, due)))
      .returning({ row }),
  );
}

const row = sql`ctid`;

function batchOf(db: Executor, table: PgTable, due: SQL | undefined) {
  return db
    .select({ row })
    .from(table)
    .where(due)
    .limit(batchRows)
    .for('update', { skipLocked: true });
}

async function inBatches(change: () => PromiseLike<readonly unknown[]>): Promise<void> {
  while ((await change()).length === batchRows);
}
