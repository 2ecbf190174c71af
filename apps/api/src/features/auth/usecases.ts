import type { Deps } from '../../deps.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import { endAllSessions, lockAccount } from '../../domain/account-sessions/queries.ts';
import { aboutUser, recordActivity } from '../../domain/activity.ts';
import type { PublicContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { newMailedToken } from '../../domain/mailed-tokens/new-token.ts';
import {
  lockMailedTokensBeside,
  replaceMailedToken,
  voidMailedTokens,
} from '../../domain/mailed-tokens/queries.ts';
import { hashSecretToken } from '../../kernel/secret-tokens.ts';
import type { TokenClaims } from '../../kernel/tokens.ts';
import { mutate } from '../../domain/transaction.ts';
import { signUp } from '../../domain/sign-up/sign-up.ts';
import { passwordRule } from './password-rule.ts';
import { assertMayLogIn } from './policy.ts';
import { registrationSalts } from './registration-salt.ts';
import {
  accountQueries,
  consumeMailedToken,
  consumeRefreshToken,
  endSession,
  isReplay,
  rotateRefreshToken,
  replacePassword,
  verifyPendingAccount,
} from './queries.ts';
import { refreshExpiry, sessionStarter } from './sessions.ts';

/** Manages accounts and their sessions. */
export function authUseCases(deps: Deps) {
  const { db, clock, tokens, passwords, rateLimiter } = deps;
  const assertGoodPassword = passwordRule(deps);
  const saltFor = registrationSalts(deps.keys);
  const { start, issuePair } = sessionStarter(deps);
  const accounts = accountQueries(db);

  return {
    /** Responds the same way, in about the same time, for an address that is taken. */
    async register(
      input: {
        email: string;
        password: string;
        firstName?: string | undefined;
        lastName?: string | undefined;
      },
      ctx: PublicContext,
    ) {
      await assertGoodPassword(input.password, input.email);
      const passwordHash = await passwords.hash(input.password, saltFor(input.email));
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        await signUp(tx, deps, {
          email: input.email,
          passwordHash,
          firstName: input.firstName ?? null,
          lastName: input.lastName ?? null,
          requestId: ctx.requestId,
        });
        return { email: input.email };
      });
    },

    /**
     * Verifies the address of a pending account. One that was registered with two passwords loses both, and the
     * owner of the mailbox gets a token to choose a new one.
     *
     * @throws Failure `invalid_or_expired_token` (400)
     * @see docs/decisions/0055-passwords-and-registration.md
     */
    async verifyEmail(token: string, ctx: PublicContext) {
      const now = clock.now();
      return db.transaction(async (tx) => {
        const tokenHash = hashSecretToken(token);
        await lockMailedTokensBeside(tx, tokenHash);
        const userId = await consumeMailedToken(tx, { tokenHash, purpose: 'verify_email', now });
        const account = userId === null ? null : await verifyPendingAccount(tx, userId, now);
        if (userId === null || account === null) throw new Failure('invalid_or_expired_token');
        const { email, isPasswordErased } = account;
        const reset = isPasswordErased ? newMailedToken(userId, 'reset_password', now) : null;
        if (reset) await replaceMailedToken(tx, reset.row);
        await recordActivity(tx, {
          ...aboutUser({ id: userId, email }, ctx, now),
          action: 'user.verify_email',
          changes: [{ field: 'accountStatus', from: 'PENDING', to: 'VERIFIED' }],
          metadata: isPasswordErased ? { passwordErased: true } : {},
        });
        return { email, resetToken: reset?.token ?? null };
      });
    },

    /** Does the same work whether or not the account exists; the job looks it up. */
    async requestPasswordReset(email: string, ctx: PublicContext) {
      await enqueueJob(db, 'send_password_reset', { email, requestId: ctx.requestId });
      return { email };
    },

    /** @throws Failure `invalid_or_expired_token` (400) */
    async verifyResetToken(token: string) {
      const live = await findLiveResetToken(token);
      return { valid: true as const, expiresAt: live.expiresAt.toISOString() };
    },

    /**
     * Sets the password and ends every session of the account.
     *
     * @throws Failure `invalid_or_expired_token` (400)
     */
    async resetPassword(input: { token: string; password: string }, ctx: PublicContext) {
      // Checked before it is consumed, so that a refused password costs no token and a bad token no hash.
      const { email } = await findLiveResetToken(input.token);
      await assertGoodPassword(input.password, email);
      const passwordHash = await passwords.hash(input.password);
      // The owner of the mailbox can log in at once, whatever others tried before. Ahead of the
      // transaction: if this fails, the token stays valid.
      await rateLimiter.clear('login-account', email);
      const now = clock.now();

      const changed = await db.transaction(async (tx) => {
        const tokenHash = hashSecretToken(input.token);
        const userId = await consumeMailedToken(tx, { tokenHash, purpose: 'reset_password', now });
        if (userId === null) throw new Failure('invalid_or_expired_token');
        await voidMailedTokens(tx, userId);
        const account = await lockAccount(tx, userId);
        if (!account) throw new Failure('invalid_or_expired_token');
        await replacePassword(tx, { userId, passwordHash, now });
        const endedCount = await endAllSessions(tx, userId, now);
        await recordActivity(tx, {
          ...aboutUser({ id: userId, email: account.email }, ctx, now),
          action: 'user.reset_password',
        });
        return { email: account.email, endedCount };
      });
      if (changed.endedCount > 0) {
        ctx.noteSecurityEvent('sessions_ended', { account: changed.email });
      }
      return { email: changed.email };
    },

    /**
     * Performs exactly one password verification, so that timing reveals nothing about the account.
     *
     * @throws Failure `invalid_credentials`, `account_pending` or `account_suspended` (400)
     */
    async logIn(credentials: { email: string; password: string }, ctx: PublicContext) {
      const found = await accounts.findByEmail(credentials.email);
      const matches = await passwords.verify(found?.passwordHash ?? null, credentials.password);
      if (!found || !matches) throw new Failure('invalid_credentials');
      assertMayLogIn(found.accountStatus);

      const session = await start(found, ctx);
      return {
        user: { id: found.id, email: found.email },
        token: await issuePair(session, clock.now()),
      };
    },

    /**
     * Rotates a refresh token.
     *
     * @param presented - the encrypted token as the client holds it
     * @returns a new pair; access 900 s, refresh 43,200 s
     * @throws Failure `access_denied` (401) when expired, unknown or revoked; a revoked one also ends
     *   every session of its user
     * @see docs/decisions/0007-refresh-token-rotation.md
     */
    async refresh(presented: string, ctx: PublicContext) {
      const now = clock.now();
      const claims = await tokens.read('refresh', presented, now);
      if (!claims) throw new Failure('access_denied');
      const successor = { sessionId: claims.sessionId, userId: claims.userId, jti: newId() };
      const isRotated = await rotateRefreshToken(db, {
        jti: claims.jti,
        sessionId: claims.sessionId,
        userId: claims.userId,
        successor: successor.jti,
        now,
        expiresAt: refreshExpiry(now),
      });
      if (!isRotated) {
        await handleReplay(claims, ctx, now);
        throw new Failure('access_denied');
      }
      const { accessToken, refreshToken } = await issuePair(successor, now);
      return { token: accessToken, refreshToken };
    },

    /** Ends the session of an active refresh token; ignores any other token silently. */
    async logOut(body: unknown, ctx: PublicContext) {
      const now = clock.now();
      const claims = await tokens.read('refresh', refreshTokenIn(body), now);
      if (!claims) return;
      const ended = await db.transaction(async (tx) => {
        const account = await lockAccount(tx, claims.userId);
        if (!account || !(await consumeRefreshToken(tx, claims, now))) return null;
        await endSession(tx, claims, now);
        await recordActivity(tx, {
          ...aboutUser({ id: claims.userId, email: account.email }, ctx, now),
          action: 'user.logout',
          metadata: { sessionId: claims.sessionId },
        });
        return { account: account.email };
      });
      if (ended) ctx.noteSecurityEvent('sessions_ended', ended);
    },
  };

  /** Ends every session of the account when the token was already used. */
  async function handleReplay(claims: TokenClaims, ctx: PublicContext, now: Date): Promise<void> {
    const replayed = await db.transaction(async (tx) => {
      const account = await lockAccount(tx, claims.userId);
      if (account?.accountStatus !== 'VERIFIED' || !(await isReplay(tx, claims, now))) return null;
      const { email } = account;
      const endedCount = await endAllSessions(tx, claims.userId, now);
      if (endedCount > 0) {
        await recordActivity(tx, {
          ...aboutUser({ id: claims.userId, email }, ctx, now),
          action: 'user.token_replay',
          metadata: { endedCount },
        });
        await enqueueJob(tx, 'send_replay_notice', { userId: claims.userId });
      }
      return { email, endedCount };
    });
    if (!replayed) return;
    const details = { account: replayed.email, code: 'access_denied' };
    ctx.noteSecurityEvent('token_replay', details);
    if (replayed.endedCount > 0) ctx.noteSecurityEvent('sessions_ended', details);
  }

  async function findLiveResetToken(token: string) {
    const live = await accounts.findLiveMailedToken({
      tokenHash: hashSecretToken(token),
      purpose: 'reset_password',
      now: clock.now(),
    });
    if (!live) throw new Failure('invalid_or_expired_token');
    return live;
  }
}

function refreshTokenIn(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('refreshToken' in body)) return '';
  return typeof body.refreshToken === 'string' ? body.refreshToken : '';
}
