import { and, eq, gt, gte, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../db/executor.ts';
import { emailChangeRequests, emailChanges, users } from '../../../db/generated/schema.ts';

/** When the email of an account may be changed; null: at any time. */
export async function findFixedUntil(tx: Transaction, userId: string): Promise<Date | null> {
  const [row] = await tx
    .select({ until: users.emailFixedUntil })
    .from(users)
    .where(eq(users.id, userId));
  return row?.until ?? null;
}

/** Stores the requested change of a locked account, in place of another. The link of that one is void. */
export async function replaceRequest(
  tx: Transaction,
  request: Omit<typeof emailChangeRequests.$inferInsert, 'tokenHash'>,
): Promise<void> {
  const { sessionId, newEmail, requestedAt } = request;
  await tx
    .insert(emailChangeRequests)
    .values(request)
    .onConflictDoUpdate({
      target: emailChangeRequests.userId,
      set: { sessionId, newEmail, requestedAt, tokenHash: null },
    });
}

/** A token of a requested change; it counts for requests after `since`. */
interface PresentedToken {
  readonly tokenHash: Buffer;
  readonly since: Date;
}

const isPresented = ({ tokenHash, since }: PresentedToken) =>
  and(eq(emailChangeRequests.tokenHash, tokenHash), gt(emailChangeRequests.requestedAt, since));

/** @returns the account whose requested change a token confirms */
export async function findRequester(db: Executor, token: PresentedToken): Promise<string | null> {
  const [row] = await db
    .select({ userId: emailChangeRequests.userId })
    .from(emailChangeRequests)
    .where(isPresented(token));
  return row?.userId ?? null;
}

/** Uses up the requested change of a locked account. */
export async function takeRequest(tx: Transaction, userId: string, token: PresentedToken) {
  const [row] = await tx
    .delete(emailChangeRequests)
    .where(and(eq(emailChangeRequests.userId, userId), isPresented(token)))
    .returning({
      newEmail: emailChangeRequests.newEmail,
      sessionId: emailChangeRequests.sessionId,
    });
  return row ?? null;
}

/**
 * Gives a locked account another email, and keeps the present one for it. Its password was chosen by a person who had not
 * proven the new mailbox.
 *
 * @returns the step of the change
 */
export async function changeEmail(
  tx: Transaction,
  change: { userId: string; oldEmail: string; newEmail: string; now: Date },
): Promise<number> {
  const { userId, oldEmail, newEmail, now } = change;
  await tx
    .update(users)
    .set({ email: newEmail, emailChangedAt: now, passwordOrigin: 'REGISTERED', updatedAt: now })
    .where(eq(users.id, userId));
  const [last] = await tx
    .select({ step: sql<number>`coalesce(max(${emailChanges.step}), 0)::int` })
    .from(emailChanges)
    .where(eq(emailChanges.userId, userId));
  const step = (last?.step ?? 0) + 1;
  await tx.insert(emailChanges).values({ userId, step, oldEmail, changedAt: now });
  return step;
}

/** A token that undoes a change; it counts for changes after `since`. */
interface PresentedUndo {
  readonly undoHash: Buffer;
  readonly since: Date;
}

const isUndoneBy = ({ undoHash, since }: PresentedUndo) =>
  and(eq(emailChanges.undoHash, undoHash), gt(emailChanges.changedAt, since));

/** @returns the account whose change a token undoes */
export async function findChanged(db: Executor, undo: PresentedUndo): Promise<string | null> {
  const [row] = await db
    .select({ userId: emailChanges.userId })
    .from(emailChanges)
    .where(isUndoneBy(undo));
  return row?.userId ?? null;
}

/** Uses up a change of a locked account, and every later one. Earlier ones can still be undone. */
export async function takeChange(tx: Transaction, userId: string, undo: PresentedUndo) {
  const [row] = await tx
    .select({
      step: emailChanges.step,
      oldEmail: emailChanges.oldEmail,
      changedAt: emailChanges.changedAt,
    })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isUndoneBy(undo)));
  if (!row) return null;
  await tx
    .delete(emailChanges)
    .where(and(eq(emailChanges.userId, userId), gte(emailChanges.step, row.step)));
  return row;
}

/** Gives a locked account a former email back, and takes away what another person may know or have asked for. */
export async function restoreEmail(
  tx: Transaction,
  account: { userId: string; email: string; fixedUntil: Date; now: Date },
): Promise<void> {
  const { userId, email, fixedUntil, now } = account;
  await tx
    .update(users)
    .set({
      email,
      emailFixedUntil: fixedUntil,
      passwordHash: null,
      passwordOrigin: 'REGISTERED',
      accountStatus: sql`case ${users.accountStatus} when 'DELETION_PENDING' then 'VERIFIED' else ${users.accountStatus} end`,
      deletesAt: null,
      updatedAt: now,
    })
    .where(eq(users.id, userId));
}

/** Whether a statement failed because another account has taken the email meanwhile. */
export function isEmailTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return (
    cause instanceof Error &&
    'constraint_name' in cause &&
    cause.constraint_name === 'users_email_unique'
  );
}
