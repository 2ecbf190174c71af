import { and, asc, count, eq, gt, lt, or } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { passkeys, users, webauthnChallenges } from '../../db/generated/schema.ts';

/** What a challenge is for; one of a session is for that session only. */
export type ChallengeUse =
  | { readonly purpose: 'SIGN_IN'; readonly sessionId: null }
  | { readonly purpose: 'PROOF' | 'REGISTRATION'; readonly sessionId: string };

export async function insertChallenge(
  db: Executor,
  challenge: ChallengeUse & { challengeHash: Buffer; expiresAt: Date },
): Promise<void> {
  await db.insert(webauthnChallenges).values(challenge);
}

/**
 * Uses up a challenge in a single statement, also one that is for something else.
 *
 * @returns whether it was for this use, and still valid
 */
export async function consumeChallenge(
  db: Database,
  { challengeHash, purpose, sessionId }: ChallengeUse & { challengeHash: Buffer },
  now: Date,
): Promise<boolean> {
  const [row] = await db
    .delete(webauthnChallenges)
    .where(eq(webauthnChallenges.challengeHash, challengeHash))
    .returning();
  return row?.purpose === purpose && row.sessionId === sessionId && row.expiresAt > now;
}

/** Lists the passkeys of an account, the oldest first. */
export async function listPasskeys(db: Executor, userId: string) {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

export async function countPasskeys(db: Executor, userId: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(passkeys)
    .where(eq(passkeys.userId, userId));
  return row?.total ?? 0;
}

/** @returns a passkey with the email of its account; null for an unknown one */
export async function findPasskey(db: Database, credentialId: Buffer) {
  const [row] = await db
    .select({
      id: passkeys.id,
      userId: passkeys.userId,
      email: users.email,
      credentialId: passkeys.credentialId,
      publicKey: passkeys.publicKey,
    })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId));
  return row ?? null;
}

/**
 * Notes a valid signature in a single statement.
 *
 * @returns false if the counter of the authenticator has not risen: another one has the same key
 */
export async function noteUse(
  db: Database,
  use: { id: string; counter: number; isBackedUp: boolean; now: Date },
): Promise<boolean> {
  const { id, counter, isBackedUp, now } = use;
  const hasRisen = lt(passkeys.counter, counter);
  const rows = await db
    .update(passkeys)
    .set({ counter, isBackedUp, lastUsedAt: now })
    .where(
      and(eq(passkeys.id, id), counter === 0 ? or(hasRisen, eq(passkeys.counter, 0)) : hasRisen),
    )
    .returning({ id: passkeys.id });
  return rows.length === 1;
}

/** Whether an account has this passkey still. */
export async function hasPasskey(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const rows = await tx
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)));
  return rows.length === 1;
}

/** Adds a passkey. Only under the lock of the account. @returns null if any account has it already */
export async function insertPasskey(tx: Transaction, passkey: typeof passkeys.$inferInsert) {
  const [row] = await tx.insert(passkeys).values(passkey).onConflictDoNothing().returning();
  if (row) {
    await tx.update(users).set({ hasSecondFactor: true }).where(eq(users.id, row.userId));
  }
  return row ?? null;
}

/** @returns null if the account has no such passkey */
export async function renamePasskey(
  tx: Transaction,
  { id, userId, name }: { id: string; userId: string; name: string },
) {
  const [row] = await tx
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning();
  return row ?? null;
}

/** Only under the lock of the account. @returns false if the account has no such passkey */
export async function deletePasskey(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const rows = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ id: passkeys.id });
  return rows.length === 1;
}

/** Only under the lock of the account. */
export async function deletePasskeysSince(
  tx: Transaction,
  userId: string,
  since: Date,
): Promise<void> {
  await tx.delete(passkeys).where(and(eq(passkeys.userId, userId), gt(passkeys.createdAt, since)));
}
