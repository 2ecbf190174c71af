import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import type { Database, Transaction } from '../../db/executor.ts';
import { knownOrigins, refreshTokens, sessions, users } from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';
import { isOpenAt, lockAccountExclusively, lockAccountRow } from '../authority/queries.ts';
import { voidEmailChange, voidEmailChangeOf } from '../email-changes/queries.ts';

export type AccountStatus = (typeof users.$inferSelect)['accountStatus'];

const account = statement((tx) =>
  tx
    .select({
      email: users.email,
      passwordHash: users.passwordHash,
      passwordOrigin: users.passwordOrigin,
      hasSecondFactor: users.hasSecondFactor,
      accountStatus: users.accountStatus,
      platformRole: users.platformRole,
      emailChangedAt: users.emailChangedAt,
    })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId'))),
);

/**
 * Serializes everything that starts or ends sessions of one user, after all their changes
 * under way.
 */
export async function lockAccount(tx: Transaction, userId: string) {
  // Sent together, in this order: the last one sees what was committed while the others waited.
  const [, , [row]] = await Promise.all([
    lockAccountExclusively(tx, userId),
    lockAccountRow(tx, userId),
    account(tx, { userId }),
  ]);
  return row ?? null;
}

/**
 * Ends the sessions of a user and revokes their tokens. A change of the email that one of them requested is void, and
 * where they were opened from is no longer known. Only under {@link lockAccount}.
 *
 * @returns the number of open ones
 */
export async function endAllSessions(tx: Transaction, userId: string, now: Date): Promise<number> {
  const ended = await tx
    .update(sessions)
    .set({ endedAt: now })
    .where(notEndedOf(userId))
    .returning({ expiresAt: sessions.expiresAt });
  await tx
    .update(refreshTokens)
    .set({ revokedAt: now, sealedPair: null })
    .where(and(eq(refreshTokens.userId, userId), isNull(refreshTokens.revokedAt)));
  await voidEmailChange(tx, userId);
  await forgetKnownOrigins(tx, userId);
  announceAfterCommit(tx, `user:${userId}`);
  return countOpen(ended, now);
}

function countOpen(ended: readonly { expiresAt: Date }[], now: Date): number {
  return ended.filter(({ expiresAt }) => expiresAt > now).length;
}

/** Forgets where an account has signed in from, because another person may have: the next sign-in is mailed. */
export async function forgetKnownOrigins(tx: Transaction, userId: string): Promise<void> {
  await tx
    .update(knownOrigins)
    .set({ devices: [], networks: [] })
    .where(eq(knownOrigins.userId, userId));
}

/** The selection of a user's sessions. */
export type SessionChoice = 'all' | { readonly only: string } | { readonly except: string };

/**
 * Ends sessions on request. A change of the email that one of them requested is void. Only under {@link lockAccount}.
 *
 * Also those that have expired: a clock that is set back would open them again.
 *
 * Deletes their usable refresh tokens instead of revoking them: presenting a revoked one ends every session,
 * and the signed-out device is going to present its own.
 *
 * @returns the number of open ones
 * @see docs/decisions/0007-refresh-token-rotation.md
 */
export async function dismissSessions(
  tx: Transaction,
  user: { id: string; sessions: SessionChoice },
  now: Date,
): Promise<number> {
  const ended = await tx
    .update(sessions)
    .set({ endedAt: now })
    .where(and(notEndedOf(user.id), chosen(user.sessions)))
    .returning({ id: sessions.id, expiresAt: sessions.expiresAt });
  if (ended.length === 0) return 0;
  announceAfterCommit(tx, `user:${user.id}`);
  const sessionIds = ended.map(({ id }) => id);
  await tx
    .delete(refreshTokens)
    .where(and(inArray(refreshTokens.sessionId, sessionIds), isNull(refreshTokens.revokedAt)));
  await voidEmailChangeOf(tx, { userId: user.id, sessionIds });
  return countOpen(ended, now);
}

/**
 * Ends all open sessions at the operator's request, like {@link dismissSessions}. A requested change of the email is void,
 * and origins are no longer known, also if no session was open: one that has ended may have been another person's.
 * Only under {@link lockAccount}.
 *
 * @returns the number of open ones
 */
export async function dismissAllSessions(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<number> {
  const endedCount = await dismissSessions(tx, { id: userId, sessions: 'all' }, now);
  await voidEmailChange(tx, userId);
  await forgetKnownOrigins(tx, userId);
  return endedCount;
}

/** Lists open sessions of a user, the last used first. */
export async function listOpenSessions(
  db: Database,
  user: { id: string; now: Date },
  window: { limit: number; offset: number },
) {
  const open = and(eq(sessions.userId, user.id), isOpenAt(user.now));
  const [rows, [count]] = await Promise.all([
    db
      .select({
        id: sessions.id,
        userAgent: sessions.userAgent,
        ipAddress: sessions.ipAddress,
        signInMethod: sessions.signInMethod,
        secondFactor: sessions.secondFactor,
        createdAt: sessions.createdAt,
        lastUsedAt: sessions.lastUsedAt,
      })
      .from(sessions)
      .where(open)
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
      .limit(window.limit)
      .offset(window.offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(sessions)
      .where(open),
  ]);
  return { rows, total: count?.total ?? 0 };
}

function notEndedOf(userId: string) {
  return and(eq(sessions.userId, userId), isNull(sessions.endedAt));
}

function chosen(choice: SessionChoice) {
  if (choice === 'all') return undefined;
  return 'only' in choice ? eq(sessions.id, choice.only) : ne(sessions.id, choice.except);
}
