import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { lockingStatement, statement } from '../../db/session/statement.ts';
import { mailedTokens, refreshTokens, sessions, users } from '../../db/generated/schema.ts';
import type { MailPurpose } from '../../domain/mailed-tokens/queries.ts';

const byEmail = statement((db) =>
  db
    .select({
      id: users.id,
      email: users.email,
      passwordHash: users.passwordHash,
      hasSecondFactor: users.hasSecondFactor,
      accountStatus: users.accountStatus,
    })
    .from(users)
    .where(and(eq(users.email, sql.placeholder('email')), eq(users.kind, 'PERSON'))),
);

const liveMailedToken = statement((db) =>
  db
    .select({ email: users.email, expiresAt: mailedTokens.expiresAt })
    .from(mailedTokens)
    .innerJoin(users, eq(users.id, mailedTokens.userId))
    .where(
      and(
        eq(mailedTokens.tokenHash, sql.placeholder('tokenHash')),
        eq(mailedTokens.purpose, sql.placeholder('purpose')),
        gt(mailedTokens.expiresAt, sql.param(sql.placeholder('now'), mailedTokens.expiresAt)),
      ),
    ),
);

/** Reads outside of a transaction, prepared once. */
export function accountQueries(db: Database) {
  return {
    async findByEmail(email: string) {
      const [row] = await byEmail(db, { email });
      return row ?? null;
    },
    async findLiveMailedToken(token: { tokenHash: Buffer; purpose: MailPurpose; now: Date }) {
      const [row] = await liveMailedToken(db, token);
      return row ?? null;
    },
  };
}

const value = sql.placeholder;
const given = {
  now: sql`${sql.param(value('now'), sessions.createdAt)}::timestamptz`,
  expiresAt: sql`${sql.param(value('expiresAt'), sessions.expiresAt)}::timestamptz`,
};

/** A refresh token that replaces a presented one. */
export interface Rotation extends PresentedToken {
  readonly successor: string;
  /** For a repetition; null for a refresh that can't be repeated. */
  readonly sealedPair: Buffer | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

const rotated = lockingStatement((db) => {
  const account = db.$with('account', {}).as(sql`
    select id from account_to_sign_in(${value('userId')}::uuid) where account_status = 'VERIFIED'`);
  const consumed = db.$with('consumed', { sessionId: sql<string>`session_id`.as('session_id') })
    .as(sql`
    update ${refreshTokens} set revoked_at = ${given.now}, sealed_pair = null from account
    where ${refreshTokens.jti} = ${value('jti')} and ${refreshTokens.userId} = account.id
      and ${refreshTokens.sessionId} = ${value('sessionId')} and ${refreshTokens.revokedAt} is null
      and ${refreshTokens.expiresAt} > ${given.now}
    returning ${refreshTokens.sessionId} as session_id, ${refreshTokens.userId} as user_id`);
  const issued = db.$with('issued', {}).as(sql`
    insert into ${refreshTokens} (jti, session_id, user_id, issued_at, expires_at, sealed_pair)
    select ${value('successor')}::uuid, consumed.session_id, consumed.user_id, ${given.now}, ${given.expiresAt},
      ${value('sealedPair')}::bytea
    from consumed`);
  const prolonged = db.$with('prolonged', {}).as(sql`
    update ${sessions} set last_used_at = ${given.now}, expires_at = ${given.expiresAt}
    from consumed where ${sessions.id} = consumed.session_id`);
  return db
    .with(account, consumed, issued, prolonged)
    .select({ sessionId: consumed.sessionId })
    .from(consumed);
});

/**
 * Replaces a refresh token by its successor in a single statement, which takes the account lock.
 *
 * @returns whether it was active, and the account may sign in
 */
export async function rotateRefreshToken(db: Executor, rotation: Rotation): Promise<boolean> {
  return (await rotated(db, rotation)).length === 1;
}

interface PresentedToken {
  readonly jti: string;
  readonly sessionId: string;
  readonly userId: string;
}

/** Revokes a refresh token. @returns whether it was active, that is neither revoked nor expired */
export async function consumeRefreshToken(
  tx: Transaction,
  token: PresentedToken,
  now: Date,
): Promise<boolean> {
  const rows = await tx
    .update(refreshTokens)
    .set({ revokedAt: now, sealedPair: null })
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

/**
 * Reads the sealed tokens of the session's last refresh, if they were not used or revoked since.
 *
 * @param issued - the time of that refresh: after `since`, until `until`
 */
export async function findSealedPair(
  tx: Transaction,
  token: PresentedToken,
  issued: { since: Date; until: Date },
): Promise<Buffer | null> {
  const [row] = await tx
    .select({ sealedPair: refreshTokens.sealedPair })
    .from(refreshTokens)
    .where(
      and(
        eq(refreshTokens.sessionId, token.sessionId),
        eq(refreshTokens.userId, token.userId),
        isNull(refreshTokens.revokedAt),
        gt(refreshTokens.issuedAt, issued.since),
        lte(refreshTokens.issuedAt, issued.until),
      ),
    );
  return row?.sealedPair ?? null;
}

/** Whether the token was issued and is revoked, but has not expired: a replay. */
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

/** Notes that the person of a session has proven who they are. */
export async function confirmSession(
  tx: Transaction,
  { sessionId, userId }: { sessionId: string; userId: string },
  confirmedAt: Date,
): Promise<void> {
  await tx
    .update(sessions)
    .set({ confirmedAt })
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)));
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
    .set({ revokedAt: now, sealedPair: null })
    .where(and(eq(refreshTokens.sessionId, sessionId), isNull(refreshTokens.revokedAt)));
  announceAfterCommit(tx, `user:${userId}`);
}

/**
 * Verifies an account and removes a password of unknown origin.
 *
 * @returns null when the account is not pending (any more)
 */
export async function verifyPendingAccount(tx: Transaction, userId: string, now: Date) {
  const [row] = await tx
    .update(users)
    .set({
      accountStatus: 'VERIFIED',
      passwordHash: sql`case ${users.passwordOrigin} when 'CONTESTED' then null else ${users.passwordHash} end`,
      passwordOrigin: 'REGISTERED',
      updatedAt: now,
    })
    .where(and(eq(users.id, userId), eq(users.accountStatus, 'PENDING')))
    .returning({
      email: users.email,
      // Anyone who registered the account had a password.
      isPasswordErased: sql<boolean>`${users.passwordHash} is null`,
    });
  return row ?? null;
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
      passwordOrigin: 'PROVEN',
      accountStatus: sql`case ${users.accountStatus} when 'PENDING' then 'VERIFIED' else ${users.accountStatus} end`,
      updatedAt: account.now,
    })
    .where(eq(users.id, account.userId));
}
