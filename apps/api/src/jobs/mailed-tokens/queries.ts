import { and, eq, inArray } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { accountActivities, users } from '../../db/generated/schema.ts';

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
    .where(
      and(
        eq(users.email, email),
        eq(users.kind, 'PERSON'),
        inArray(users.accountStatus, ['PENDING', 'VERIFIED']),
      ),
    );
  return row ?? null;
}

/** Whether an activity about an account is recorded. */
export async function isRecorded(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const ofId = and(eq(accountActivities.resourceId, userId), eq(accountActivities.id, id));
  return (await tx.$count(accountActivities, ofId)) > 0;
}
