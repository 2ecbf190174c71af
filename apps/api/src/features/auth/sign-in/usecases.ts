import { lifetimes, type SecondFactor, type SignInError } from '@atelier/contract';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { aboutUser, recordAccountActivity } from '../../../domain/activity.ts';
import type { PublicContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newSecretToken } from '../../../kernel/ids.ts';
import { hashSecretToken } from '../../../kernel/secret-tokens.ts';
import type {
  AssertedIdentity,
  IdentityProvider,
  ProviderId,
} from '../../../ports/identity-provider.ts';
import {
  secondFactorRequired,
  secondFactors,
} from '../../../domain/second-factor/second-factor.ts';
import { isKeptForAnother, undoableSince } from '../../../domain/email-changes/queries.ts';
import { enqueueSecurityNotice } from '../../../domain/security-notices.ts';
import { lockIdentity } from '../../../domain/sign-in-methods/queries.ts';
import { signUpVerified } from '../../../domain/sign-up/sign-up.ts';
import { lockAccount, type AccountStatus } from '../../../domain/account-sessions/queries.ts';
import { becameVerified } from '../became-verified.ts';
import { sessionStarter } from '../sessions.ts';
import type { RememberedAttempt } from './attempt-cookie.ts';
import {
  consumeExchangeCode,
  consumeWaitingCode,
  findAccount,
  findAccountByIdentity,
  findWaitingCode,
  insertExchangeCode,
  insertIdentity,
  lockAccountByEmail,
  takeOverPendingAccount,
  takeTry,
  useUpState,
  type PresentedCode as HashedCode,
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

/** @throws SignInRefusal for an account that can't be signed in to, whatever its person does */
function assertMayReturn(status: AccountStatus): void {
  if (status === 'SUSPENDED') throw new SignInRefusal('account_suspended');
  if (status !== 'PENDING' && status !== 'VERIFIED') {
    throw new SignInRefusal('account_deletion_pending');
  }
}

/** Whether a change of an email can still be undone. */
function isRecent(changedAt: Date | null, now: Date): boolean {
  return changedAt !== null && changedAt > undoableSince(now);
}

/** How many second factors can be presented with one code. */
const maxTries = 5;

/** Sign-in through a provider: redirect, callback, and exchange of the code for a session. */
export function signInUseCases(deps: Deps) {
  const { db, clock, log, identityProviders } = deps;
  const { startWithin, issuePair } = sessionStarter(deps);
  const factors = secondFactors(deps);

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
      const address = { email, userId: newUserId, now };
      if (await isKeptForAnother(tx, address)) throw new SignInRefusal('email_changed');
      await insertIdentity(tx, { provider, subject, userId: newUserId, now });
      return { userId: newUserId, isNew: true };
    }
    const account = await lockAccountByEmail(tx, email);
    if (!account) throw new SignInRefusal('account_suspended');
    assertMayReturn(account.accountStatus);
    // Its former owner may take the account back, and would find a way to sign in that another person has added.
    if (isRecent(account.emailChangedAt, now)) throw new SignInRefusal('email_changed');
    const isPending = account.accountStatus === 'PENDING';
    if (isPending) await takeOverPendingAccount(tx, { userId: account.id, now });
    await insertIdentity(tx, { provider, subject, userId: account.id, now });
    await recordAccountActivity(tx, {
      ...aboutUser({ id: account.id, email }, ctx, now),
      action: 'user.link_identity',
      metadata: { provider },
      changes: isPending ? [becameVerified] : [],
    });
    await enqueueSecurityNotice(tx, { userId: account.id, about: 'IDENTITY_ADDED' }, ctx);
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
      if (known) assertMayReturn(known.accountStatus);
      const { userId, isNew } = known
        ? { userId: known.id, isNew: false }
        : await admit(tx, { provider, identity, ctx });
      const code = newSecretToken();
      const now = clock.now();
      const expiresAt = later(now, lifetimes.exchangeCodeSeconds);
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
     * For an account with a second factor it becomes good for {@link exchangeWithSecondFactor} only.
     *
     * @see docs/decisions/0014-sign-in-with-a-provider.md
     * @throws Failure `second_factor_required` (400), `invalid_or_expired_code` (401)
     */
    async exchange(presented: PresentedCode, ctx: PublicContext) {
      const code = codeOf(presented);
      const signedIn = await db.transaction(async (tx) => {
        const userId = await consumeExchangeCode(tx, code);
        // A repetition, because the first response was lost.
        if (userId === null) return { kinds: await kindsWaitedFor(tx, code) };
        const locked = await lockAccount(tx, userId);
        // Nothing throws in here: the code stays consumed.
        if (locked?.accountStatus !== 'VERIFIED') return null;
        const { email, passwordHash } = locked;
        if (locked.hasSecondFactor) {
          const expiresAt = later(code.now, lifetimes.secondFactorTicketSeconds);
          await insertExchangeCode(tx, { ...code, userId, triesLeft: maxTries, expiresAt });
          return { kinds: await factors.kindsOf(tx, userId) };
        }
        const user = { id: userId, email };
        const proof = { by: 'provider', secondFactor: null } as const;
        return {
          user,
          session: await startWithin(tx, { ...user, ...proof, passwordHash, locked }, ctx),
        };
      });
      if (signedIn && 'kinds' in signedIn && signedIn.kinds.length > 0) {
        throw secondFactorRequired(signedIn.kinds);
      }
      if (!signedIn || 'kinds' in signedIn) throw new Failure('invalid_or_expired_code');
      const { user, session } = signedIn;
      return { user, token: await issuePair(session, clock.now()) };
    },

    /**
     * Opens the session of a code whose exchange has asked for a second factor. Each request is one of five tries.
     *
     * @throws Failure `second_factor_invalid` (400), `invalid_or_expired_code` (401), `rate_limited` (429) after too many
     *   wrong second factors of the account
     */
    async exchangeWithSecondFactor(
      { secondFactor, ...presented }: PresentedCode & { readonly secondFactor: SecondFactor },
      ctx: PublicContext,
    ) {
      const code = codeOf(presented);
      const userId = await takeTry(db, code);
      if (userId === null) throw new Failure('invalid_or_expired_code');
      const account = await findAccount(db, userId);
      if (!account) throw new Failure('invalid_or_expired_code');
      const attempt = { account, presented: secondFactor, sessionId: null, ctx };
      const session = await factors.tried(attempt, (prove) =>
        db.transaction(async (tx) => {
          // A wrong factor rolls this back: the code keeps its other tries.
          if (!(await consumeWaitingCode(tx, code))) return null;
          const locked = await lockAccount(tx, userId);
          if (locked?.accountStatus !== 'VERIFIED') return null;
          await prove(tx);
          const { passwordHash } = locked;
          const kind = locked.hasSecondFactor ? secondFactor.kind : null;
          const proof = { by: 'provider', secondFactor: kind } as const;
          return startWithin(tx, { ...account, ...proof, passwordHash, locked }, ctx);
        }),
      );
      if (!session) throw new Failure('invalid_or_expired_code');
      return { user: account, token: await issuePair(session, clock.now()) };
    },
  };

  function codeOf({ code, verifier }: PresentedCode): HashedCode {
    const challenge = verifier === undefined ? null : hashSecretToken(verifier);
    return { codeHash: hashSecretToken(code), challenge, now: clock.now() };
  }

  async function kindsWaitedFor(tx: Transaction, code: HashedCode) {
    const userId = await findWaitingCode(tx, code);
    return userId === null ? [] : factors.kindsOf(tx, userId);
  }
}

function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
