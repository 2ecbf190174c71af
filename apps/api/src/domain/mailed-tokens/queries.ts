import { and, eq, gt, inArray } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { mailedTokens, users } from '../../db/generated/schema.ts';

export type MailPurpose = (typeof mailedTokens.$inferSelect)['purpose'];

// Mailed tokens are locked before their account everywhere, and those of one account by purpose: consuming
// a token starts from it, and another order would deadlock.

/** Voids every link mailed to an account. Call it before the account is locked. */
export async function voidMailedTokens(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(mailedTokens).where(eq(mailedTokens.userId, userId));
}

/** Voids every link mailed to a pending account. Call it before the account is locked. */
export async function voidMailedTokensOfPending(tx: Transaction, email: string): Promise<void> {
  const locked = await tx
    .select({ tokenHash: mailedTokens.tokenHash })
    .from(mailedTokens)
    .innerJoin(users, eq(users.id, mailedTokens.userId))
    .where(and(eq(users.email, email), eq(users.accountStatus, 'PENDING')))
    .orderBy(mailedTokens.purpose)
    .for('update', { of: mailedTokens });
  const hashes = locked.map(({ tokenHash }) => tokenHash);
  await tx.delete(mailedTokens).where(inArray(mailedTokens.tokenHash, hashes));
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
  const { tokenHash, email, issuedAt, expiresAt } = token;
  await tx
    .insert(mailedTokens)
    .values(token)
    .onConflictDoUpdate({
      target: [mailedTokens.userId, mailedTokens.purpose],
      set: { tokenHash, email, issuedAt, expiresAt },
    });
}

/** A token that was used: whose, and which mailbox it proves; null if it was mailed before that was stored. */
interface UsedToken {
  readonly userId: string;
  readonly email: string | null;
}

/**
 * Whether a token was mailed to the email that its locked account has. One that was on its way while the email changed
 * proves another mailbox.
 */
export function isForMailbox(used: UsedToken, account: { readonly email: string }): boolean {
  return used.email === null || used.email === account.email;
}

/** Consumes a mailed token in one statement. @returns null when it is not valid */
export async function consumeMailedToken(
  tx: Transaction,
  token: { tokenHash: Buffer; purpose: MailPurpose; now: Date },
): Promise<UsedToken | null> {
  const [row] = await tx
    .delete(mailedTokens)
    .where(
      and(
        eq(mailedTokens.tokenHash, token.tokenHash),
        eq(mailedTokens.purpose, token.purpose),
        gt(mailedTokens.expiresAt, token.now),
      ),
    )
    .returning({ userId: mailedTokens.userId, email: mailedTokens.email });
  return row ?? null;
}
