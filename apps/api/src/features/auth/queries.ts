import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { announceAfterCommit } from '../../db/announcements.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { mailedTokens, refreshTokens, sessions, users } from '../../db/schema/index.ts';

export type MailPurpose = 'verify_email' | 'reset_password';

/** Reads outside of a transaction, prepared once. */
export function accountQueries(db: Database) {
  const byEmail = db
    .select({
      id: users.id,
      email: users.email,
      passwordHash: users.passwordHash,
      accountStatus: users.accountStatus,
    })
    .from(users)
    .where(eq(users.email, sql.placeholder('email')))
    .prepare('account_by_email');

  const liveMailedToken = db
    .select({
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      expiresAt: mailedTokens.expiresAt,
    })
    .from(mailedTokens)
    .innerJoin(users, eq(users.id, mailedTokens.userId))
    .where(
      and(
        eq(mailedTokens.tokenHash, sql.placeholder('tokenHash')),
        eq(mailedTokens.purpose, sql.placeholder('purpose')),
        gt(mailedTokens.expiresAt, sql.param(sql.placeholder('now'), mailedTokens.expiresAt)),
      ),
    )
    .prepare('live_mailed_token');

  return {
    async findByEmail(email: string) {
      const [row] = await byEmail.execute({ email });
      return row ?? null;
    },
    async findLiveMailedToken(token: { tokenHash: Buffer; purpose: MailPurpose; now: Date }) {
      const [row] = await liveMailedToken.execute(token);
      return row ?? null;
    },
  };
}

export async function insertSession(
  tx: Transaction,
  session: {
    id: string;
    userId: string;
    userAgent: string | null;
    ipAddress: string;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  const { now, ...row } = session;
  await tx.insert(sessions).values({ ...row, createdAt: now, lastUsedAt: now });
}

export async function insertRefreshToken(
  tx: Transaction,
  token: { jti: string; sessionId: string; userId: string; issuedAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.insert(refreshTokens).values(token);
}

interface PresentedToken {
  readonly jti: string;
  readonly sessionId: string;
  readonly userId: string;
}

/** Uses a refresh token up. @returns whether it was active, that is neither revoked nor expired */
export async function consumeRefreshToken(
  tx: Transaction,
  token: PresentedToken,
  now: Date,
): Promise<boolean> {
  const rows = await tx
    .update(refreshTokens)
    .set({ revokedAt: now })
    .where(
      and(
        eq(refreshTokens.jti, token.jti),
        eq(refreshTokens.userId, token.userId),
        eq(refreshTokens.sessionId, token.sessionId),
        isNull(refreshTokens.revokedAt),
        gt(refreshTokens.expiresAt, now),
      ),
    )
    .returning({ jti: refreshTokens.jti });
  return rows.length === 1;
}

/** Whether the token was issued and is revoked, but would still live: a replay. */
export async function isReplay(
  tx: Transaction,
  token: PresentedToken,
  now: Date,
): Promise<boolean> {
  const [row] = await tx
    .select({ revokedAt: refreshTokens.revokedAt })
    .from(refreshTokens)
    .where(
      and(
        eq(refreshTokens.jti, token.jti),
        eq(refreshTokens.userId, token.userId),
        gt(refreshTokens.expiresAt, now),
      ),
    );
  return row !== undefined && row.revokedAt !== null;
}

export async function prolongSession(
  tx: Transaction,
  session: { id: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .update(sessions)
    .set({ lastUsedAt: session.now, expiresAt: session.expiresAt })
    .where(eq(sessions.id, session.id));
}

export async function endSession(
  tx: Transaction,
  { sessionId, userId }: { sessionId: string; userId: string },
  now: Date,
): Promise<void> {
  await tx
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)));
  await tx
    .update(refreshTokens)
    .set({ revokedAt: now })
    .where(and(eq(refreshTokens.sessionId, sessionId), isNull(refreshTokens.revokedAt)));
  announceAfterCommit(tx, `user:${userId}`);
}

/** Uses a mailed token up, in one statement. @returns whose it was; null when it is not alive */
export async function consumeMailedToken(
  tx: Transaction,
  token: { tokenHash: Buffer; purpose: MailPurpose; now: Date },
): Promise<string | null> {
  const [row] = await tx
    .delete(mailedTokens)
    .where(
      and(
        eq(mailedTokens.tokenHash, token.tokenHash),
        eq(mailedTokens.purpose, token.purpose),
        gt(mailedTokens.expiresAt, token.now),
      ),
    )
    .returning({ userId: mailedTokens.userId });
  return row?.userId ?? null;
}

/** @returns the email; null when the account is not pending (any more) */
export async function verifyPendingAccount(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<string | null> {
  const [row] = await tx
    .update(users)
    .set({ accountStatus: 'VERIFIED', updatedAt: now })
    .where(and(eq(users.id, userId), eq(users.accountStatus, 'PENDING')))
    .returning({ email: users.email });
  return row?.email ?? null;
}

/** Sets the password; a pending account becomes verified, because the mailbox is proven. */
export async function replacePassword(
  tx: Transaction,
  account: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await tx
    .update(users)
    .set({
      passwordHash: account.passwordHash,
      accountStatus: sql`case ${users.accountStatus} when 'PENDING' then 'VERIFIED' else ${users.accountStatus} end`,
      updatedAt: account.now,
    })
    .where(eq(users.id, account.userId));
}
