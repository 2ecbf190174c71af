import {
  lifetimes,
  secondFactorKinds,
  type SecondFactorKind,
  type SignInMethod,
  type TokenPair,
} from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { lockAccount } from '../../domain/account-sessions/queries.ts';
import { secondFactorRequired } from '../../domain/second-factor/second-factor.ts';
import type { PublicContext } from '../../kernel/context.ts';
import { deviceNameOf } from '../../kernel/device-name.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { grantConfiguredAdmin } from '../../domain/operate-accounts/operate-accounts.ts';
import { assertMayLogIn } from './policy.ts';
import { openSession, type NewSession } from './open-session/queries.ts';
import { signInOrigins } from './sign-in-origins.ts';

/** The claims of a session's tokens. */
export interface StartedSession {
  readonly userId: string;
  readonly sessionId: string;
  /** Identifier of the refresh token. */
  readonly jti: string;
}

/** An account with proven credentials. */
export interface ProvenAccount {
  readonly id: string;
  readonly email: string;
  /** Its state at the time of the proof. */
  readonly passwordHash: string | null;
  /** The second factor that was proven beside it. */
  readonly secondFactor: SecondFactorKind | null;
}

/** The proof, and the account as its lock has found it. */
interface Arrival {
  readonly by: SignInMethod;
  readonly locked: NonNullable<Awaited<ReturnType<typeof lockAccount>>>;
}

/** How a session begins, whatever the proof. */
export function sessionStarter({
  db,
  clock,
  config,
  tokens,
  keys,
}: Pick<Deps, 'db' | 'clock' | 'config' | 'tokens' | 'keys'>) {
  const { ADMIN_EMAILS: adminEmails } = config;
  const origins = signInOrigins(keys);

  function newSession(
    account: ProvenAccount & Pick<Arrival, 'by'>,
    ctx: PublicContext,
  ): NewSession {
    const now = clock.now();
    const { userAgent, ipAddress } = ctx;
    const device = deviceNameOf(userAgent);
    return {
      userId: account.id,
      sessionId: newId(),
      jti: newId(),
      passwordHash: account.passwordHash,
      // A passkey alone is two factors.
      isSecondFactorProven: account.by === 'passkey' || account.secondFactor !== null,
      // A provider may sign in without asking for anything.
      isConfirmed: account.by !== 'provider',
      signInMethod: account.by,
      secondFactor: account.secondFactor,
      userAgent,
      ipAddress,
      device,
      origin: origins.hashesOf(account.id, { device, ipAddress }),
      now,
      expiresAt: refreshExpiry(now),
      activityId: newId(),
      requestId: ctx.requestId,
    };
  }

  /** Starts a session for a locked account. */
  async function startWithin(
    tx: Transaction,
    { by, locked, ...account }: ProvenAccount & Arrival,
    ctx: PublicContext,
  ): Promise<StartedSession> {
    const session = newSession({ ...account, by }, ctx);
    const { now, requestId } = session;
    const grant = { adminEmails, now, requestId };
    const hasLostPassword = await grantConfiguredAdmin(
      tx,
      { ...locked, id: account.id, by },
      grant,
    );
    const passwordHash = hasLostPassword ? null : session.passwordHash;
    return started(session, await openSession(tx, { ...session, passwordHash }));
  }

  return {
    startWithin,

    /**
     * Starts a session after the account's password was verified.
     *
     * @throws Failure `invalid_credentials`, `account_pending`, `account_suspended` or `second_factor_required` (400)
     *   when the account has another password or a second factor in the meantime, or may not sign in
     */
    async start(account: ProvenAccount, ctx: PublicContext): Promise<StartedSession> {
      if (!adminEmails.includes(account.email)) {
        const session = newSession({ ...account, by: 'password' }, ctx);
        return started(session, await openSession(db, session));
      }
      return db.transaction(async (tx) => {
        const locked = await lockAccount(tx, account.id);
        if (!locked) throw new Failure('invalid_credentials');
        return startWithin(tx, { ...account, by: 'password', locked }, ctx);
      });
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

/** A reset may have come first: the old password is no longer valid. */
function started(
  { userId, sessionId, jti }: NewSession,
  account: Awaited<ReturnType<typeof openSession>>,
): StartedSession {
  if (!account?.hasThatPassword) throw new Failure('invalid_credentials');
  assertMayLogIn(account.accountStatus);
  // It was turned on just now, and the account has other kinds only if it turned those on too.
  if (account.needsSecondFactor) throw secondFactorRequired(secondFactorKinds);
  return { userId, sessionId, jti };
}

export function refreshExpiry(now: Date): Date {
  return new Date(now.getTime() + lifetimes.refreshTokenSeconds * 1000);
}
