import { eq } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/client.ts';
import { users } from '../../db/schema/index.ts';

export async function findUserId(db: Database, email: string): Promise<string | null> {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return row?.id ?? null;
}

export async function setAccountStatus(
  tx: Transaction,
  user: { id: string; accountStatus: 'VERIFIED' | 'SUSPENDED'; now: Date },
): Promise<void> {
  const { id, accountStatus, now } = user;
  await tx.update(users).set({ accountStatus, updatedAt: now }).where(eq(users.id, id));
}

export async function setPlatformRole(
  tx: Transaction,
  user: { id: string; platformRole: 'USER' | 'ADMIN'; now: Date },
): Promise<void> {
  const { id, platformRole, now } = user;
  await tx.update(users).set({ platformRole, updatedAt: now }).where(eq(users.id, id));
}
