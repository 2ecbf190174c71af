import { and, count, eq, inArray, isNotNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import {
  organizations,
  passkeys,
  recoveryCodes,
  sessions,
  totpFactors,
  users,
} from '../../db/generated/schema.ts';
import { isAfter, isSealedOtherwise, type SealedPage } from '../resealing/queries.ts';

/**
 * The condition that an account has the second factor that an organization requires at a time, where both are joined.
 * Service accounts need none.
 */
export function hasRequiredFactorAt(now: Date): SQL {
  const requiredFrom = organizations.secondFactorRequiredFrom;
  return sql`(${requiredFrom} is null or ${requiredFrom} > ${sql.param(now, requiredFrom)}::timestamptz
    or ${users.hasSecondFactor} or ${users.kind} = 'SERVICE')`;
}

/** @returns the sealed secret in use, and since when; null without one */
export async function findTotp(db: Executor, userId: string) {
  const [row] = await db
    .select({ secret: totpFactors.secret, enabledAt: totpFactors.enabledAt })
    .from(totpFactors)
    .where(and(eq(totpFactors.userId, userId), isNotNull(totpFactors.secret)));
  return row?.secret && row.enabledAt ? { secret: row.secret, enabledAt: row.enabledAt } : null;
}

/** @returns the sealed secret that waits for its first code; null without one */
export async function findPendingTotp(tx: Transaction, userId: string): Promise<Buffer | null> {
  const [row] = await tx
    .select({ pendingSecret: totpFactors.pendingSecret })
    .from(totpFactors)
    .where(eq(totpFactors.userId, userId));
  return row?.pendingSecret ?? null;
}

/** Stores a sealed secret that waits for its first code, in the place of another. */
export async function replacePendingTotp(
  tx: Transaction,
  userId: string,
  pendingSecret: Buffer,
): Promise<void> {
  await tx
    .insert(totpFactors)
    .values({ userId, pendingSecret })
    .onConflictDoUpdate({ target: totpFactors.userId, set: { pendingSecret } });
}

/** Puts the waiting secret in use. Only under the lock of the account. */
export async function enableTotp(
  tx: Transaction,
  factor: { userId: string; step: number; now: Date },
): Promise<void> {
  await tx
    .update(totpFactors)
    .set({
      secret: totpFactors.pendingSecret,
      pendingSecret: null,
      enabledAt: factor.now,
      lastStep: factor.step,
    })
    .where(eq(totpFactors.userId, factor.userId));
  await tx.update(users).set({ hasSecondFactor: true }).where(eq(users.id, factor.userId));
}

/**
 * Accepts the code of a step in a single statement: of two requests with one code, one wins, and an older step is
 * never accepted again.
 *
 * @param factor.secret - sealed, as it was compared
 */
export async function acceptStep(
  tx: Transaction,
  factor: { userId: string; secret: Buffer; step: number },
): Promise<boolean> {
  const rows = await tx
    .update(totpFactors)
    .set({ lastStep: factor.step })
    .where(
      and(
        eq(totpFactors.userId, factor.userId),
        eq(totpFactors.secret, factor.secret),
        lt(totpFactors.lastStep, factor.step),
      ),
    )
    .returning({ lastStep: totpFactors.lastStep });
  return rows.length === 1;
}

/** Uses up a recovery code in a single statement. */
export async function useRecoveryCode(
  tx: Transaction,
  userId: string,
  hashes: readonly Buffer[],
): Promise<boolean> {
  const rows = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.codeHash, [...hashes])))
    .returning({ codeHash: recoveryCodes.codeHash });
  return rows.length > 0;
}

/** Counts the recovery codes that can still be compared. */
export async function countRecoveryCodes(
  db: Executor,
  userId: string,
  keyIds: readonly Buffer[],
): Promise<number> {
  const keyId = sql`substr(${recoveryCodes.codeHash}, 1, 6)`;
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), inArray(keyId, [...keyIds])));
  return row?.left ?? 0;
}

/** Stores recovery codes in the place of the earlier ones. Only under the lock of the account. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })));
}

/**
 * Turns off one-time codes. Only under the lock of the account.
 *
 * @returns false when they were off
 */
export async function removeTotp(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx
    .delete(totpFactors)
    .where(eq(totpFactors.userId, userId))
    .returning({ enabledAt: totpFactors.enabledAt });
  return rows.some(({ enabledAt }) => enabledAt !== null);
}

/** Notes that a factor is gone; recovery codes end with the last one. Only under the lock of the account. */
export async function settleSecondFactor(tx: Transaction, userId: string): Promise<void> {
  const isEnabled = and(eq(totpFactors.userId, userId), isNotNull(totpFactors.enabledAt));
  const left =
    (await tx.$count(totpFactors, isEnabled)) +
    (await tx.$count(passkeys, eq(passkeys.userId, userId)));
  await tx
    .update(users)
    .set({ hasSecondFactor: left > 0 })
    .where(eq(users.id, userId));
  if (left > 0) return;
  announceAfterCommit(tx, `user:${userId}`);
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

/** Removes every second factor. Only under the lock of the account. @returns false when there was none */
export async function removeSecondFactors(tx: Transaction, userId: string): Promise<boolean> {
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  await tx.delete(totpFactors).where(eq(totpFactors.userId, userId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const rows = await tx
    .update(users)
    .set({ hasSecondFactor: false })
    .where(and(eq(users.id, userId), eq(users.hasSecondFactor, true)))
    .returning({ id: users.id });
  if (rows.length === 0) return false;
  announceAfterCommit(tx, `user:${userId}`);
  return true;
}

export async function findHasSecondFactor(db: Executor, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ hasSecondFactor: users.hasSecondFactor })
    .from(users)
    .where(eq(users.id, userId));
  return row?.hasSecondFactor ?? false;
}

/** Voids the confirmations of all sessions but one: they have not seen the new factor. */
export async function forgetOtherConfirmations(
  tx: Transaction,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  await tx
    .update(sessions)
    .set({ confirmedAt: null })
    .where(
      and(eq(sessions.userId, userId), ne(sessions.id, sessionId), isNotNull(sessions.confirmedAt)),
    );
}

/** @returns when the person of a session last confirmed who they are; null if never */
export async function findConfirmedAt(db: Executor, sessionId: string): Promise<Date | null> {
  const [row] = await db
    .select({ confirmedAt: sessions.confirmedAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row?.confirmedAt ?? null;
}

/** Lists secrets that another key than the current one has sealed, by their accounts. */
export async function sealedOtherwise(db: Database, currentKey: Buffer, page: SealedPage) {
  const { userId: id, secret, pendingSecret } = totpFactors;
  return db
    .select({ id, secret, pendingSecret })
    .from(totpFactors)
    .where(
      and(
        or(isSealedOtherwise(secret, currentKey), isSealedOtherwise(pendingSecret, currentKey)),
        isAfter(id, page),
      ),
    )
    .orderBy(id)
    .limit(page.limit);
}

/** Stores secrets under another key, unless they were replaced meanwhile. */
export async function storeResealed(
  db: Database,
  factor: { id: string; secret: Buffer | null; pendingSecret: Buffer | null },
  resealed: { secret: Buffer | null; pendingSecret: Buffer | null },
): Promise<void> {
  await db
    .update(totpFactors)
    .set(resealed)
    .where(
      and(
        eq(totpFactors.userId, factor.id),
        sql`${totpFactors.secret} is not distinct from ${factor.secret}`,
        sql`${totpFactors.pendingSecret} is not distinct from ${factor.pendingSecret}`,
      ),
    );
}
