import {
  lifetimes,
  type ConfirmBody,
  type PasskeyAuthentication,
  type ResetPasswordBody,
  type SecondFactor,
  type TokenPair,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import { revokeAllKeys } from '../../domain/account-keys/queries.ts';
import { endAllSessions, lockAccount } from '../../domain/account-sessions/queries.ts';
import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import type { PublicContext, UserContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { newMailedToken } from '../../domain/mailed-tokens/new-token.ts';
import {
  consumeMailedToken,
  isForMailbox,
  lockMailedTokensBeside,
  replaceMailedToken,
  voidMailedTokens,
} from '../../domain/mailed-tokens/queries.ts';
import { hashSecretToken } from '../../kernel/secret-tokens.ts';
import type { TokenClaims } from '../../kernel/tokens.ts';
import { enqueueSecurityNotice } from '../../domain/security-notices.ts';
import { mutate } from '../../domain/transaction.ts';
import { findPasswordHash } from '../../domain/passwords/queries.ts';
import { passkeyChallenges } from '../../domain/passkeys/challenges.ts';
import { secondFactors } from '../../domain/second-factor/second-factor.ts';
import { signUp } from '../../domain/sign-up/sign-up.ts';
import { passwordRule } from '../../domain/passwords/rule.ts';
import { becameVerified } from './became-verified.ts';
import { assertMayLogIn } from './policy.ts';
import { registrationSalts } from './registration-salt.ts';
import {
  accountQueries,
  confirmSession,
  consumeRefreshToken,
  endSession,
  findSealedPair,
  isReplay,
  rotateRefreshToken,
  replacePassword,
  verifyPendingAccount,
} from './queries.ts';
import { sealedPairs } from './sealed-pairs.ts';
import {
  refreshExpiry,
  sessionStarter,
  type ProvenAccount,
  type StartedSession,
} from './sessions.ts';

/** How far the clocks of two instances may differ, in seconds. A clock that was set back further prolongs no repetition. */
const clockToleranceSeconds = 60;

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly secondFactor?: SecondFactor | undefined;
}

/** Manages accounts and their sessions. */
export function authUseCases(deps: Deps) {
  const { db, clock, tokens, passwords, rateLimiter } = deps;
  const assertGoodPassword = passwordRule(deps);
  const saltFor = registrationSalts(deps.keys);
  const { start, startWithin, issuePair } = sessionStarter(deps);
  const factors = secondFactors(deps);
  const challenges = passkeyChallenges(deps);
  const sealed = sealedPairs(deps.keys);
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
        const used = await consumeMailedToken(tx, { tokenHash, purpose: 'verify_email', now });
        const account = used && (await verifyPendingAccount(tx, used.userId, now));
        if (!used || !account) throw new Failure('invalid_or_expired_token');
        const { userId } = used;
        const { email, isPasswordErased } = account;
        const reset = isPasswordErased
          ? newMailedToken({ id: userId, email }, 'reset_password', now)
          : null;
        if (reset) await replaceMailedToken(tx, reset.row);
        await recordAccountActivity(tx, {
          ...aboutUser({ id: userId, email }, ctx, now),
          action: 'user.verify_email',
          changes: [becameVerified],
          metadata: isPasswordErased ? { passwordErased: true } : {},
        });
        return { email, resetToken: reset?.token ?? null };
      });
    },

    /** Does the same work whether or not the account exists; the job looks it up. */
    async requestPasswordReset(email: string, ctx: PublicContext) {
      const { requestId } = ctx;
      await enqueueJob(db, 'send_password_reset', { email, requestId, activityId: newId() });
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
    async resetPassword(input: z.output<typeof ResetPasswordBody>, ctx: PublicContext) {
      // Checked before it is consumed, so that a refused password costs no token and a bad token no hash.
      const { email } = await findLiveResetToken(input.token);
      await assertGoodPassword(input.password, email);
      const passwordHash = await passwords.hash(input.password);
      // The owner of the mailbox can sign in at once, also after attempts of others. Ahead of the
      // transaction: if this fails, the token stays valid.
      await rateLimiter.clear('login-account', email);
      const now = clock.now();

      const changed = await db.transaction(async (tx) => {
        const tokenHash = hashSecretToken(input.token);
        const used = await consumeMailedToken(tx, { tokenHash, purpose: 'reset_password', now });
        if (!used) throw new Failure('invalid_or_expired_token');
        const { userId } = used;
        await voidMailedTokens(tx, userId);
        const account = await lockAccount(tx, userId);
        if (!account || !isForMailbox(used, account)) throw new Failure('invalid_or_expired_token');
        await replacePassword(tx, { userId, passwordHash, now });
        const endedCount = await endAllSessions(tx, userId, now);
        const revokedApiKeys = input.revokeApiKeys ? await revokeAllKeys(tx, userId, now) : 0;
        await recordAccountActivity(tx, {
          ...aboutUser({ id: userId, email: account.email }, ctx, now),
          action: 'user.reset_password',
          ...(account.accountStatus === 'PENDING' && { changes: [becameVerified] }),
          ...(revokedApiKeys > 0 && { metadata: { revokedApiKeys } }),
        });
        await enqueueSecurityNotice(tx, { userId, about: 'PASSWORD_RESET' }, ctx);
        return { email: account.email, endedCount };
      });
      if (changed.endedCount > 0) {
        ctx.noteSecurityEvent('sessions_ended', { account: changed.email });
      }
      return { email: changed.email };
    },

    /**
     * Performs exactly one password verification, so that timing reveals nothing about the account. The second factor is
     * looked at only after the right password.
     *
     * @throws Failure `invalid_credentials`, `account_pending`, `account_suspended`, `second_factor_required` or
     *   `second_factor_invalid` (400), `rate_limited` (429) after too many wrong second factors
     */
    async logIn({ secondFactor, ...credentials }: Credentials, ctx: PublicContext) {
      const found = await accounts.findByEmail(credentials.email);
      const matches = await passwords.verify(found?.passwordHash ?? null, credentials.password);
      if (!found || !matches) throw new Failure('invalid_credentials');
      assertMayLogIn(found.accountStatus);

      const session = found.hasSecondFactor
        ? await startWithSecondFactor(found, secondFactor, ctx)
        : await start({ ...found, secondFactor: null }, ctx);
      return {
        user: { id: found.id, email: found.email },
        token: await issuePair(session, clock.now()),
      };
    },

    /**
     * Rotates a refresh token.
     *
     * @param presented - the encrypted token as the client holds it
     * @returns a new pair; access 900 s, refresh 43,200 s. A repetition under the client's key gets the same pair
     * @throws Failure `access_denied` (401) when expired, unknown or revoked; a revoked one also ends
     *   every session of its user
     * @see docs/decisions/0007-refresh-token-rotation.md
     */
    async refresh(presented: string, ctx: PublicContext) {
      const now = clock.now();
      const claims = await tokens.read('refresh', presented, now);
      if (!claims) throw new Failure('access_denied');
      const { jti, sessionId, userId } = claims;
      const successor = { sessionId, userId, jti: newId() };
      const key = ctx.secretKey;
      const issued = await issuePair(successor, now);
      const isRotated = await rotateRefreshToken(db, {
        jti,
        sessionId,
        userId,
        successor: successor.jti,
        sealedPair: key === null ? null : sealed.seal(issued, { jti, key }),
        now,
        expiresAt: refreshExpiry(now),
      });
      const pair = isRotated ? issued : await repeatOrEndSessions(claims, ctx, now);
      if (!pair) throw new Failure('access_denied');
      return { token: pair.accessToken, refreshToken: pair.refreshToken };
    },

    /**
     * Confirms the session of the request: by the account's password, and its second factor if it has one; or by a
     * passkey of the account.
     *
     * @throws Failure `invalid_credentials`, `passkey_invalid`, `second_factor_required` or `second_factor_invalid`
     *   (400), `rate_limited` (429) after too many wrong second factors
     */
    async confirm(proof: z.output<typeof ConfirmBody>, ctx: UserContext) {
      return proof.passkey
        ? confirmWithPasskey(proof.passkey, ctx)
        : confirmWithPassword({ ...proof, password: proof.password ?? '' }, ctx);
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
        await recordAccountActivity(tx, {
          ...aboutUser({ id: claims.userId, email: account.email }, ctx, now),
          action: 'user.logout',
          metadata: { sessionId: claims.sessionId },
        });
        return { account: account.email };
      });
      if (ended) ctx.noteSecurityEvent('sessions_ended', ended);
    },
  };

  async function confirmWithPassword(proof: Omit<Credentials, 'email'>, ctx: UserContext) {
    const { user } = ctx;
    const matches = await passwords.verify(await findPasswordHash(db, user.id), proof.password);
    const presented = matches ? proof.secondFactor : undefined;
    const attempt = { account: user, presented, sessionId: ctx.credential.id, ctx };
    return factors.tried(attempt, (prove) =>
      confirmOnce(ctx, async (tx) => {
        // Only an open session learns whether a password is right.
        if (!matches)
          throw new Failure('invalid_credentials', { message: 'The password is wrong' });
        await prove(tx);
      }),
    );
  }

  async function confirmWithPasskey(response: PasskeyAuthentication, ctx: UserContext) {
    const use = { purpose: 'PROOF', sessionId: ctx.credential.id } as const;
    const challenge = await challenges.take(response.response.clientDataJSON, use);
    const attempt = { account: ctx.user, response, challenge, ctx };
    return factors.triedWithPasskey(attempt, (prove) => confirmOnce(ctx, prove));
  }

  /** A new password ends the session, so that the proof in the transaction fails for the old one. */
  function confirmOnce(occasion: UserContext, prove: (tx: Transaction) => Promise<void>) {
    const now = clock.now();
    return mutate({ db, clock, ctx: occasion }, async (tx, ctx) => {
      const { user } = ctx;
      await prove(tx);
      await confirmSession(tx, { sessionId: ctx.credential.id, userId: user.id }, now);
      await recordAccountActivity(tx, { ...aboutUser(user, ctx, now), action: 'user.confirm' });
      const confirmedUntil = new Date(now.getTime() + lifetimes.confirmationSeconds * 1000);
      return { confirmedUntil: confirmedUntil.toISOString() };
    });
  }

  /** In one transaction: a code is not used up by a sign-in that fails after it. */
  async function startWithSecondFactor(
    found: Omit<ProvenAccount, 'secondFactor'>,
    presented: SecondFactor | undefined,
    ctx: PublicContext,
  ): Promise<StartedSession> {
    const attempt = { account: found, presented, sessionId: null, ctx };
    return factors.tried(attempt, (prove) =>
      db.transaction(async (tx) => {
        const locked = await lockAccount(tx, found.id);
        if (!locked) throw new Failure('invalid_credentials');
        await prove(tx);
        // It may have been turned off meanwhile, and then nothing was proven.
        const secondFactor = locked.hasSecondFactor ? (presented?.kind ?? null) : null;
        return startWithin(tx, { ...found, by: 'password', locked, secondFactor }, ctx);
      }),
    );
  }

  /**
   * Handles a refresh token that is not active.
   *
   * @returns the tokens of the first response, for its repetition; null for any other token, after a revoked one
   *   has ended every session of the account
   */
  async function repeatOrEndSessions(
    claims: TokenClaims,
    ctx: PublicContext,
    now: Date,
  ): Promise<TokenPair | null> {
    const outcome = await db.transaction(async (tx) => {
      const account = await lockAccount(tx, claims.userId);
      if (account?.accountStatus !== 'VERIFIED') return null;
      const pair = await lostPair(tx, { ...claims, key: ctx.secretKey }, now);
      if (pair) return { pair };
      if (!(await isReplay(tx, claims, now))) return null;
      const { email } = account;
      const endedCount = await endAllSessions(tx, claims.userId, now);
      if (endedCount > 0) {
        await recordAccountActivity(tx, {
          ...aboutUser({ id: claims.userId, email }, ctx, now),
          action: 'user.token_replay',
          metadata: { endedCount },
        });
        await enqueueJob(tx, 'send_replay_notice', {
          userId: claims.userId,
          notificationId: newId(),
        });
      }
      return { email, endedCount };
    });
    if (!outcome) return null;
    if ('pair' in outcome) return outcome.pair;
    const details = { account: outcome.email, code: 'access_denied' };
    ctx.noteSecurityEvent('token_replay', details);
    if (outcome.endedCount > 0) ctx.noteSecurityEvent('sessions_ended', details);
    return null;
  }

  /** Returns the tokens that replaced a token under this key, unless they were used, revoked, or issued too long ago. */
  async function lostPair(
    tx: Transaction,
    { key, ...claims }: TokenClaims & { key: string | null },
    now: Date,
  ): Promise<TokenPair | null> {
    if (key === null) return null;
    const found = await findSealedPair(tx, claims, {
      since: new Date(now.getTime() - lifetimes.refreshRepetitionSeconds * 1000),
      until: new Date(now.getTime() + clockToleranceSeconds * 1000),
    });
    return found && sealed.open(found, { jti: claims.jti, key });
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
