import { and, eq, gt } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { emailChangeRequests, emailChanges, users } from '../../db/generated/schema.ts';

/** The email that a verified account has asked for after a time; null without one. */
export async function findRequested(
  db: Executor,
  { userId, since }: { userId: string; since: Date },
): Promise<string | null> {
  const [row] = await db
    .select({ newEmail: emailChangeRequests.newEmail })
    .from(emailChangeRequests)
    .innerJoin(users, eq(users.id, emailChangeRequests.userId))
    .where(
      and(
        eq(emailChangeRequests.userId, userId),
        eq(users.accountStatus, 'VERIFIED'),
        gt(emailChangeRequests.requestedAt, since),
      ),
    );
  return row?.newEmail ?? null;
}

/** Replaces the token of a requested change. @returns whether the account still asks for that email */
export async function replaceRequestToken(
  db: Executor,
  { userId, newEmail, tokenHash }: { userId: string; newEmail: string; tokenHash: Buffer },
): Promise<boolean> {
  const rows = await db
    .update(emailChangeRequests)
    .set({ tokenHash })
    .where(and(eq(emailChangeRequests.userId, userId), eq(emailChangeRequests.newEmail, newEmail)))
    .returning({ userId: emailChangeRequests.userId });
  return rows.length === 1;
}

/** Replaces the token that undoes a change after a time. @returns the former email and the time of the change */
export async function replaceUndoToken(
  db: Executor,
  change: { userId: string; step: number; undoHash: Buffer; since: Date },
) {
  const { userId, step, undoHash, since } = change;
  const [row] = await db
    .update(emailChanges)
    .set({ undoHash })
    .where(
      and(
        eq(emailChanges.userId, userId),
        eq(emailChanges.step, step),
        gt(emailChanges.changedAt, since),
      ),
    )
    .returning({ oldEmail: emailChanges.oldEmail, changedAt: emailChanges.changedAt });
  return row ?? null;
}
