import { emailUndoDays } from '@atelier/contract';
import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import {
  accountActivities,
  emailChangeRequests,
  emailChanges,
  users,
} from '../../db/generated/schema.ts';
import { dayMs } from '../../kernel/durations.ts';

const undoMs = emailUndoDays * dayMs;

/** Changes after this time can be undone. */
export function undoableSince(now: Date): Date {
  return new Date(now.getTime() - undoMs);
}

/** How long an email stays, after a change was undone. */
export function fixedUntil(now: Date): Date {
  return new Date(now.getTime() + undoMs);
}

/**
 * Whether an email is kept for another account, which had it until lately. An account that takes an email asks *after* it
 * has written it, in a statement of its own: until then the other may be giving it up.
 */
export async function isKeptForAnother(
  db: Executor,
  { email, userId, now }: { email: string; userId: string; now: Date },
): Promise<boolean> {
  const kept = await db
    .select({ userId: emailChanges.userId })
    .from(emailChanges)
    .where(
      and(
        eq(emailChanges.oldEmail, email),
        gt(emailChanges.changedAt, undoableSince(now)),
        ne(emailChanges.userId, userId),
      ),
    )
    .limit(1);
  return kept.length > 0;
}

/** Whether no other account has an email, and none may take it back. */
export async function isFreeFor(
  db: Executor,
  address: { email: string; userId: string; now: Date },
): Promise<boolean> {
  const taken = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, address.email), ne(users.id, address.userId)));
  return taken.length === 0 && !(await isKeptForAnother(db, address));
}

/** Voids the requested change of a locked account, with its link. */
export async function voidEmailChange(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(emailChangeRequests).where(eq(emailChangeRequests.userId, userId));
}

/** Voids the requested change of a locked account, if one of these sessions requested it. */
export async function voidEmailChangeOf(
  tx: Transaction,
  { userId, sessionIds }: { userId: string; sessionIds: readonly string[] },
): Promise<void> {
  await tx
    .delete(emailChangeRequests)
    .where(
      and(
        eq(emailChangeRequests.userId, userId),
        inArray(emailChangeRequests.sessionId, [...sessionIds]),
      ),
    );
}

const isEmailChange = inArray(accountActivities.action, [
  'user.change_email',
  'user.undo_email_change',
]);

/** The accounts whose email was changed in a month (UTC) before that of a timestamp, with their present email. */
export async function findEmailChangesBefore(db: Database, timestamp: Date) {
  return db
    .selectDistinct({ id: users.id, email: users.email })
    .from(accountActivities)
    .innerJoin(users, eq(users.id, accountActivities.resourceId))
    .where(
      and(
        isEmailChange,
        sql`${accountActivities.createdAt} < date_trunc('month', ${timestamp.toISOString()}::timestamptz, 'UTC')`,
        ne(users.accountStatus, 'DELETED'),
      ),
    );
}

/**
 * The emails that an account has and had, as far as it is known, without those that are another account's by now.
 *
 * @param account.email - the present one
 */
export async function emailsOf(
  db: Executor,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<string[]> {
  const former = await db.execute<{ email: string }>(sql`
    select ${emailChanges.oldEmail} as email from ${emailChanges} where ${eq(emailChanges.userId, id)}
    union select change ->> side from ${accountActivities}
      cross join jsonb_array_elements(${accountActivities.changes}) as change
      cross join unnest(array['from', 'to']) as side
      where ${and(
        eq(accountActivities.resourceId, id),
        isEmailChange,
      )} and change ->> 'field' = 'email'`);
  const all = [...new Set([email, ...former.map((row) => row.email)])];
  const others = await db
    .select({ email: users.email })
    .from(users)
    .where(and(inArray(users.email, all), ne(users.id, id)));
  return all.filter((one) => !others.some((other) => other.email === one));
}
