import { and, eq, isNotNull, ne } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/executor.ts';
import { users } from '../../db/generated/schema.ts';

export async function findUserId(db: Database, email: string): Promise<string | null> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), eq(users.kind, 'PERSON')));
  return row?.id ?? null;
}

export async function setAccountStatus(
  tx: Transaction,
  user: { id: string; accountStatus: 'VERIFIED' | 'SUSPENDED'; now: Date },
): Promise<void> {
  const { id, accountStatus, now } = user;
  await tx.update(users).set({ accountStatus, updatedAt: now }).where(eq(users.id, id));
}

/** @returns false when the account is an administrator already, or not verified */
export async function promoteVerified(
  tx: Transaction,
  user: { id: string; now: Date },
): Promise<boolean> {
  const promoted = await tx
    .update(users)
    .set({ platformRole: 'ADMIN', updatedAt: user.now })
    .where(
      and(
        eq(users.id, user.id),
        eq(users.platformRole, 'USER'),
        eq(users.accountStatus, 'VERIFIED'),
      ),
    )
    .returning({ id: users.id });
  return promoted.length === 1;
}

/** Removes a password that was set before the mailbox was proven. @returns false when there is none */
export async function forgetUnprovenPassword(
  tx: Transaction,
  user: { id: string; now: Date },
): Promise<boolean> {
  const forgotten = await tx
    .update(users)
    .set({ passwordHash: null, updatedAt: user.now })
    .where(
      and(eq(users.id, user.id), isNotNull(users.passwordHash), ne(users.passwordOrigin, 'PROVEN')),
    )
    .returning({ id: users.id });
  return forgotten.length === 1;
}

export async function demote(tx: Transaction, user: { id: string; now: Date }): Promise<void> {
  await tx
    .update(users)
    .set({ platformRole: 'USER', updatedAt: user.now })
    .where(eq(users.id, user.id));
}
