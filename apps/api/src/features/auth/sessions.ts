import { lifetimes, type TokenPair } from '@atelier/contract';
import type { Transaction } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { aboutUser, recordActivity } from '../../kernel/activity.ts';
import type { PublicContext } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import { grantConfiguredAdmin } from '../../workflows/operate-accounts/operate-accounts.ts';
import { insertRefreshToken, insertSession } from './queries.ts';

/** What the tokens of a session are made from. */
export interface StartedSession {
  readonly userId: string;
  readonly sessionId: string;
  /** Identifier of the refresh token. */
  readonly jti: string;
}

/** How a session begins, whatever proved who it is. */
export function sessionStarter({
  clock,
  config,
  tokens,
}: Pick<Deps, 'clock' | 'config' | 'tokens'>) {
  return {
    /** Starts a session for a locked account. */
    async startSession(
      tx: Transaction,
      user: { id: string; email: string },
      ctx: PublicContext,
    ): Promise<StartedSession> {
      const now = clock.now();
      const { ADMIN_EMAILS: adminEmails } = config;
      await grantConfiguredAdmin(tx, user, { adminEmails, now, requestId: ctx.requestId });
      const session = { sessionId: newId(), userId: user.id, jti: newId() };
      const expiresAt = refreshExpiry(now);
      await insertSession(tx, {
        id: session.sessionId,
        userId: user.id,
        userAgent: ctx.userAgent,
        ipAddress: ctx.ipAddress,
        now,
        expiresAt,
      });
      await insertRefreshToken(tx, { ...session, issuedAt: now, expiresAt });
      await recordActivity(tx, {
        ...aboutUser(user, ctx, now),
        action: 'user.login',
        metadata: { sessionId: session.sessionId },
      });
      return session;
    },

    /** @returns a new pair; access 900 s, refresh 43,200 s */
    async issuePair(session: StartedSession, now: Date): Promise<TokenPair> {
      const [accessToken, refreshToken] = await Promise.all([
        tokens.issue('access', { ...session, jti: newId() }, now),
        tokens.issue('refresh', session, now),
      ]);
      return { accessToken, refreshToken };
    },
  };
}

export function refreshExpiry(now: Date): Date {
  return new Date(now.getTime() + lifetimes.refreshTokenSeconds * 1000);
}
