import { and, eq, inArray } from 'drizzle-orm';
import type { Transaction } from '../../db/client.ts';
import { mailedTokens, users } from '../../db/schema/index.ts';

// Mailed tokens are locked before their account, everywhere: using one up starts from the token, and the
// other order would deadlock with it.

/** Voids every link that was mailed to an account. Before the account is locked. */
export async function voidMailedTokens(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(mailedTokens).where(eq(mailedTokens.userId, userId));
}

/** Voids every link that was mailed to an account that is still pending. Before it is locked. */
export async function voidMailedTokensOfPending(tx: Transaction, email: string): Promise<void> {
  const pending = tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), eq(users.accountStatus, 'PENDING')));
  await tx.delete(mailedTokens).where(inArray(mailedTokens.userId, pending));
}
