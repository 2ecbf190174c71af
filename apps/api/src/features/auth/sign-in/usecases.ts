import { lifetimes, type SignInError } from '@atelier/contract';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { aboutUser, recordActivity } from '../../../domain/activity.ts';
import type { PublicContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newSecretToken } from '../../../kernel/ids.ts';
import { hashSecretToken } from '../../../kernel/secret-tokens.ts';
import type {
  AssertedIdentity,
  IdentityProvider,
  ProviderId,
} from '../../../ports/identity-provider.ts';
import { signUpVerified } from '../../../domain/sign-up/sign-up.ts';
import { lockAccount } from '../../../domain/account-sessions/queries.ts';
import { sessionStarter } from '../sessions.ts';
import type { RememberedAttempt } from './attempt-cookie.ts';
import {
  consumeExchangeCode,
  findAccountByIdentity,
  insertExchangeCode,
  insertIdentity,
  lockAccountByEmail,
  lockIdentity,
  takeOverPendingAccount,
  useUpState,
} from './queries.ts';

/** How a browser came back from a provider. */
export interface ReturnedBrowser {
  /** The content of its cookie; null without an authentic, unexpired one. */
  readonly attempt: RememberedAttempt | null;
  readonly query: {
    readonly code?: string | undefined;
    readonly state?: string | undefined;
    readonly error?: string | undefined;
    readonly iss?: string | undefined;
  };
}

/** The client's input to the exchange. */
export interface PresentedCode {
  readonly code: string;
  readonly verifier?: string | undefined;
}

/** The outcome that the redirect carries to the client. */
export type SignInOutcome =
  | { readonly code: string; readonly isNew: boolean }
  | { readonly error: SignInError };

/** The reason why a sign-in ends; rolls back the transaction that throws it. */
class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal';
  readonly reason: SignInError;

  constructor(reason: SignInError, cause?: unknown) {
    super(`the sign-in was refused: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** OAuth 2 errors that mean more than a refusal. */
const meaningOfError: ReadonlyMap<string, SignInError> = new Map([
  ['access_denied', 'access_denied'],
  ['temporarily_unavailable', 'provider_unavailable'],
  ['server_error', 'provider_unavailable'],
]);

/** Sign-in through a provider: redirect, callback, and exchange of the code for a session. */
export function signInUseCases(deps: Deps) {
  const { db, clock, log, identityProviders } = deps;
  const { startWithin, issuePair } = sessionStarter(deps);

  /** @throws Failure `provider_not_configured` (404) */
  function configured(id: ProviderId): IdentityProvider {
    const provider = identityProviders[id];
    if (!provider) throw new Failure('provider_not_configured');
    return provider;
  }

  /** @throws SignInRefusal */
  async function identityOf(
    provider: IdentityProvider,
    { attempt, query }: ReturnedBrowser,
  ): Promise<AssertedIdentity> {
    if (!attempt || query.state !== attempt.state) throw new SignInRefusal('invalid_state');
    const stateHash = hashSecretToken(attempt.state);
    const isFirst = await useUpState(db, {
      stateHash,
      expiresAt: attempt.expiresAt,
      now: clock.now(),
    });
    if (!isFirst) throw new SignInRefusal('invalid_state');
    const isOfAnother =
      query.iss !== undefined && provider.issuer !== null && query.iss !== provider.issuer;
    if (isOfAnother) throw new SignInRefusal('provider_error');
    if (query.error !== undefined) {
      throw new SignInRefusal(meaningOfError.get(query.error) ?? 'provider_error');
    }
    if (query.code === undefined) throw new SignInRefusal('provider_error');

    const response = await provider.identify({ code: query.code, attempt });
    switch (response.outcome) {
      case 'identified':
        return response.identity;
      case 'refused':
        throw new SignInRefusal('provider_error', response.cause);
      case 'unavailable':
        throw new SignInRefusal('provider_unavailable', response.cause);
    }
  }

  /** Finds the account for a new identity: creates one, or links an existing one. */
  async function admit(
    tx: Transaction,
    {
      provider,
      identity,
      ctx,
    }: { provider: ProviderId; identity: AssertedIdentity; ctx: PublicContext },
  ): Promise<{ userId: string; isNew: boolean }> {
    const { subject, email, isEmailVerified, firstName, lastName } = identity;
    if (email === null || !isEmailVerified) throw new SignInRefusal('email_unverified');
    const now = clock.now();
    const newcomer = { email, firstName, lastName, provider, requestId: ctx.requestId };
    const newUserId = await signUpVerified(tx, newcomer, deps);
    if (newUserId !== null) {
      await insertIdentity(tx, { provider, subject, userId: newUserId, now });
      return { userId: newUserId, isNew: true };
    }
    const account = await lockAccountByEmail(tx, email);
    if (!account || account.accountStatus === 'SUSPENDED') {
      throw new SignInRefusal('account_suspended');
    }
    const isPending = account.accountStatus === 'PENDING';
    if (isPending) await takeOverPendingAccount(tx, { userId: account.id, now });
    await insertIdentity(tx, { provider, subject, userId: account.id, now });
    await recordActivity(tx, {
      ...aboutUser({ id: account.id, email }, ctx, now),
      action: 'user.link_identity',
      metadata: { provider },
      changes: isPending ? [{ field: 'accountStatus', from: 'PENDING', to: 'VERIFIED' }] : [],
    });
    return { userId: account.id, isNew: false };
  }

  /**
   * @param returned.challenge - the challenge of the code; undefined: none
   * @throws SignInRefusal
   */
  async function issueCode(
    provider: ProviderId,
    { identity, challenge }: { identity: AssertedIdentity; challenge: string | undefined },
    ctx: PublicContext,
  ): Promise<{ code: string; isNew: boolean }> {
    return db.transaction(async (tx) => {
      const key = { provider, subject: identity.subject };
      await lockIdentity(tx, key);
      const known = await findAccountByIdentity(tx, key);
      if (known?.accountStatus === 'SUSPENDED') throw new SignInRefusal('account_suspended');
      const { userId, isNew } = known
        ? { userId: known.id, isNew: false }
        : await admit(tx, { provider, identity, ctx });
      const code = newSecretToken();
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + lifetimes.exchangeCodeSeconds * 1000);
      await insertExchangeCode(tx, {
        codeHash: hashSecretToken(code),
        userId,
        challenge: challenge === undefined ? null : Buffer.from(challenge, 'base64url'),
        expiresAt,
        now,
      });
      return { code, isNew };
    });
  }

  return {
    /** @throws Failure `provider_not_configured` (404) */
    begin: (id: ProviderId, loginHint: string | undefined) => configured(id).begin(loginHint),

    /**
     * Identifies the account and issues a code for one use within 60 seconds.
     *
     * Every failure is an outcome: a browser on its way back has no use for a status.
     *
     * @throws Failure `provider_not_configured` (404)
     */
    async complete(
      id: ProviderId,
      returned: ReturnedBrowser,
      ctx: PublicContext,
    ): Promise<SignInOutcome> {
      const provider = configured(id);
      try {
        const identity = await identityOf(provider, returned);
        return await issueCode(id, { identity, challenge: returned.attempt?.challenge }, ctx);
      } catch (error) {
        const line = { provider: id, requestId: ctx.requestId };
        if (!(error instanceof SignInRefusal)) {
          log.error({ ...line, err: error }, 'a sign-in failed');
          return { error: 'server_error' };
        }
        if (error.cause !== undefined) {
          log.warn({ ...line, err: error.cause }, error.message);
        }
        return { error: error.reason };
      }
    },

    /**
     * Exchanges a code for a session.
     *
     * A code with a challenge requires its verifier, and one without a challenge accepts none: a client that
     * began a sign-in with a challenge can't be tricked into using the code of another one. A mismatch leaves the
     * code valid for its owner.
     *
     * @see docs/decisions/0014-sign-in-with-a-provider.md
     * @throws Failure `invalid_or_expired_code` (401)
     */
    async exchange({ code, verifier }: PresentedCode, ctx: PublicContext) {
      const signedIn = await db.transaction(async (tx) => {
        const userId = await consumeExchangeCode(tx, {
          codeHash: hashSecretToken(code),
          challenge: verifier === undefined ? null : hashSecretToken(verifier),
          now: clock.now(),
        });
        const locked = userId === null ? null : await lockAccount(tx, userId);
        // Nothing throws in here: the code stays consumed.
        if (userId === null || locked?.accountStatus !== 'VERIFIED') return null;
        const user = { id: userId, email: locked.email };
        const { passwordHash } = locked;
        const arrival = { ...user, passwordHash, by: 'identity', locked } as const;
        return { user, session: await startWithin(tx, arrival, ctx) };
      });
      if (!signedIn) throw new Failure('invalid_or_expired_code');
      const { user, session } = signedIn;
      return { user, token: await issuePair(session, clock.now()) };
    },
  };
}
