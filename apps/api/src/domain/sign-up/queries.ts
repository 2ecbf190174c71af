import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { users } from '../../db/generated/schema.ts';

/**
 * Stores a second password for a pending account, which invalidates both.
 *
 * @param user.passwordHash - the same for the same address and password
 * @returns null when the account of the address is no longer pending
 */
export async function insertOrReplacePendingUser(
  tx: Transaction,
  user: {
    id: string;
    email: string;
    passwordHash: string;
    firstName: string | null;
    lastName: string | null;
    now: Date;
  },
): Promise<{ userId: string; isNew: boolean } | null> {
  const { now, passwordHash, firstName, lastName, ...identity } = user;
  const details = { passwordHash, firstName, lastName, updatedAt: now };
  const [row] = await tx
    .insert(users)
    .values({ ...identity, ...details, accountStatus: 'PENDING', createdAt: now })
    .onConflictDoUpdate({
      target: users.email,
      set: {
        ...details,
        passwordOrigin: sql`case when ${users.passwordHash} is distinct from excluded.password_hash
          then 'CONTESTED' else ${users.passwordOrigin} end`,
      },
      setWhere: eq(users.accountStatus, 'PENDING'),
    })
    .returning({ userId: users.id, isNew: sql<boolean>`xmax = 0` });
  return row ?? null;
}

/** Inserts an account whose address a provider has verified, without a password. @returns null when the address is taken */
export async function insertVerifiedUser(
  tx: Transaction,
  user: {
    id: string;
    email: string;
    firstName: string | null;
    lastName: string | null;
    now: Date;
  },
): Promise<string | null> {
  const { now, ...details } = user;
  const [row] = await tx
    .insert(users)
    .values({ ...details, accountStatus: 'VERIFIED', createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: users.email })
    .returning({ userId: users.id });
  return row?.userId ?? null;
}

/** Removes an account that was inserted in the same transaction. */
export async function removeUser(tx: Transaction, id: string): Promise<void> {
  await tx.delete(users).where(eq(users.id, id));
}
