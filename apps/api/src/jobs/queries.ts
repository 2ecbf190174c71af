import { and, eq, lte, ne } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';
import { mailedTokens, rateLimits, users } from '../db/schema/index.ts';

export async function findPendingAccount(db: Executor, email: string) {
  const [row] = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.email, email), eq(users.accountStatus, 'PENDING')));
  return row ?? null;
}

export async function findResettableAccount(db: Executor, email: string) {
  const [row] = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.email, email), ne(users.accountStatus, 'SUSPENDED')));
  return row ?? null;
}

/** Stores the only valid token of the user for the purpose; one issued before is void from now on. */
export async function replaceMailedToken(
  tx: Executor,
  token: {
    userId: string;
    purpose: 'verify_email' | 'reset_password';
    tokenHash: Buffer;
    issuedAt: Date;
    expiresAt: Date;
  },
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

/** Removes counters whose window is over: they count nothing any more. */
export async function deleteEndedRateLimits(db: Executor, now: Date): Promise<void> {
  await db.delete(rateLimits).where(lte(rateLimits.expire, now.getTime()));
}
