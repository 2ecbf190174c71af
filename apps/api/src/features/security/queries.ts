import { and, asc, eq } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/executor.ts';
import { exchangeCodes, identities, users } from '../../db/generated/schema.ts';
import type { ProviderId } from '../../ports/identity-provider.ts';

/** Sets another password. Whose the first one was stays as it is known: a change proves no mailbox. */
export async function changePassword(
  tx: Transaction,
  account: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  const { userId, passwordHash, now } = account;
  await tx.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, userId));
}

/** Lists the sign-in providers of an account, the oldest first. */
export async function listIdentities(db: Database, userId: string) {
  return db
    .select({ provider: identities.provider, createdAt: identities.createdAt })
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.createdAt), asc(identities.provider));
}

/** Removes the identities of a locked account at a provider. @returns whether there was one */
export async function deleteIdentities(
  tx: Transaction,
  { userId, provider }: { userId: string; provider: ProviderId },
): Promise<boolean> {
  const gone = await tx
    .delete(identities)
    .where(and(eq(identities.userId, userId), eq(identities.provider, provider)))
    .returning({ provider: identities.provider });
  return gone.length > 0;
}

/** Voids the codes of sign-ins that are under way. Call it before the account is locked, like every use of a code. */
export async function voidExchangeCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(exchangeCodes).where(eq(exchangeCodes.userId, userId));
}
