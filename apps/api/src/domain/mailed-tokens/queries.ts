import { and, eq, inArray } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { mailedTokens, users } from '../../db/generated/schema.ts';

// Mailed tokens are locked before their account everywhere, and those of one account by purpose: consuming
// a token starts from it, and another order would deadlock.

/** Voids every link mailed to an account. Call it before the account is locked. */
export async function voidMailedTokens(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(mailedTokens).where(eq(mailedTokens.userId, userId));
}

/** Voids every link mailed to a pending account. Call it before the account is locked. */
export async function voidMailedTokensOfPending(tx: Transaction, email: string): Promise<void> {
  const locked = tx
    .select({ tokenHash: mailedTokens.tokenHash })
    .from(mailedTokens)
    .innerJoin(users, eq(users.id, mailedTokens.userId))
    .where(and(eq(users.email, email), eq(users.accountStatus, 'PENDING')))
    .orderBy(mailedTokens.purpose)
    .for('update', { of: mailedTokens });
  await tx.delete(mailedTokens).where(inArray(mailedTokens.tokenHash, locked));
}

/** Locks every link mailed to the account that owns one of them. Call it before the account is locked. */
export async function lockMailedTokensBeside(tx: Transaction, tokenHash: Buffer): Promise<void> {
  const owner = tx
    .select({ userId: mailedTokens.userId })
    .from(mailedTokens)
    .where(eq(mailedTokens.tokenHash, tokenHash));
  await tx
    .select({ purpose: mailedTokens.purpose })
    .from(mailedTokens)
    .where(inArray(mailedTokens.userId, owner))
    .orderBy(mailedTokens.purpose)
    .for('update');
}

/** Stores the only valid token of the user for the purpose and voids the previous one. */
export async function replaceMailedToken(
  tx: Executor,
  token: typeof mailedTokens.$inferInsert,
): Promise<void> {
  const { tokenHash, issuedAt, expiresAt } = token;
  await tx
    .insert(mailedTokens)
    .values(token)
    .onConflictDoUpdate({
      target: [mailedTokens.userId, mailedTokens.purpose],
      set: { tokenHash, issuedAt, expiresAt },
    });
}
