import {
  secondFactorKinds,
  type ErrorCode,
  type PasskeyAuthentication,
  type SecondFactor,
  type SecondFactorKind,
} from '@atelier/contract';
import type { Executor, Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import type { PublicContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import type { Draw } from '../../ports/rate-limiter.ts';
import { aboutUser, recordAccountActivity } from '../activity.ts';
import { passkeyChallenges } from '../passkeys/challenges.ts';
import { passkeyProofs, type ProvenPasskey } from '../passkeys/passkeys.ts';
import { countPasskeys, hasPasskey, type ChallengeUse } from '../passkeys/queries.ts';
import { giveBack, limitReached } from '../rate-limits.ts';
import { enqueueSecurityNotice } from '../security-notices.ts';
import {
  acceptStep,
  countRecoveryCodes,
  findHasSecondFactor,
  findTotp,
  useRecoveryCode,
} from './queries.ts';
import { recoveryCodes } from './recovery-codes.ts';
import { stepOf } from './totp.ts';
import { totpSecrets } from './totp-secrets.ts';

interface Account {
  readonly id: string;
  readonly email: string;
}

/** A request whose first factor was checked. */
interface Attempt {
  readonly account: Account;
  /** The second factor that it has; undefined if none. */
  readonly presented: SecondFactor | undefined;
  /** The session that it is for; null at a sign-in. */
  readonly sessionId: string | null;
  readonly ctx: PublicContext;
}

type Presented = Pick<Attempt, 'account' | 'ctx'> & { readonly presented: SecondFactor };

/** A request with a passkey alone, which is two factors by itself. */
interface PasskeyAttempt {
  /** The account that the passkey has to be of. */
  readonly account: Account;
  readonly response: PasskeyAuthentication;
  /** The challenge that the response has used up; null if there was none for this use. */
  readonly challenge: string | null;
  readonly ctx: PublicContext;
}

/** An attempt, if it turns out to be wrong. */
interface Wrong {
  readonly account: Account;
  readonly ctx: PublicContext;
  readonly kind: SecondFactorKind;
  /** What is mailed when it exhausts the quota. */
  readonly notice: 'SECOND_FACTOR_LIMIT' | 'PASSKEY_LIMIT';
}

const wrongCodes: ReadonlySet<ErrorCode> = new Set(['second_factor_invalid', 'passkey_invalid']);

/**
 * Proves the second factor within the transaction that depends on it. No-op for an account without one.
 *
 * @throws Failure `second_factor_required` or `second_factor_invalid` (400)
 */
export type ProveSecondFactor = (tx: Transaction) => Promise<void>;

/**
 * Proves that the account still has the passkey, within the transaction that depends on it.
 *
 * @throws Failure `passkey_invalid` (400)
 */
export type ProvePasskey = (tx: Transaction) => Promise<void>;

const texts: Readonly<Record<SecondFactorKind, string>> = {
  passkey: 'A passkey',
  totp: 'A code of the authenticator app',
  recovery: 'A recovery code',
};

/** Builds the refusal that names the kinds of factors to choose from. */
export function secondFactorRequired(kinds: readonly SecondFactorKind[]): Failure {
  return new Failure('second_factor_required', {
    errors: kinds.map((kind) => ({
      in: 'body',
      path: ['secondFactor'],
      code: kind,
      message: texts[kind],
    })),
  });
}

/**
 * Checks second factors, and counts the wrong ones of each account over all operations and instances.
 *
 * @see docs/decisions/0074-second-factor.md
 */
export function secondFactors(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'keys' | 'rateLimiter' | 'telemetry' | 'log'>,
) {
  const { db, clock, rateLimiter, telemetry, log } = deps;
  const secrets = totpSecrets(deps.keys);
  const codes = recoveryCodes(deps.keys);
  const challenges = passkeyChallenges(deps);
  const proofs = passkeyProofs(deps);

  return {
    kindsOf,

    /**
     * Runs work that proves the second factor of an account whose first one is proven.
     *
     * @param attempt.presented - undefined also if the first factor is wrong, which costs no try
     * @throws Failure `rate_limited` (429) after five wrong ones in 15 minutes, whatever this one is
     */
    async tried<Result>(
      { account, presented, sessionId, ctx }: Attempt,
      work: (prove: ProveSecondFactor) => Promise<Result>,
    ): Promise<Result> {
      if (!presented) return work((tx) => demand(tx, account.id));
      const wrong = { kind: presented.kind, notice: 'SECOND_FACTOR_LIMIT' } as const;
      return counted({ account, ctx, ...wrong }, async () => {
        const passkey = await passkeyOf(presented, { sessionId, ctx });
        return work((tx) => prove(tx, { account, presented, ctx }, passkey));
      });
    },

    /**
     * Runs work that a passkey alone proves. It counts like a second factor.
     *
     * @throws Failure `rate_limited` (429) after five wrong second factors in 15 minutes
     */
    async triedWithPasskey<Result>(
      { account, response, challenge, ctx }: PasskeyAttempt,
      work: (prove: ProvePasskey) => Promise<Result>,
    ): Promise<Result> {
      const wrong = { kind: 'passkey', notice: 'PASSKEY_LIMIT' } as const;
      return counted({ account, ctx, ...wrong }, async () => {
        const passkey = challenge === null ? null : await proofs.verify(response, challenge, ctx);
        return work(async (tx) => {
          if (!(await isOf(tx, account, passkey))) throw new Failure('passkey_invalid');
        });
      });
    },
  };

  /** Counts an attempt only if it turns out to be wrong. */
  async function counted<Result>(attempt: Wrong, work: () => Promise<Result>): Promise<Result> {
    const draw = await rateLimiter.draw('second-factor-account', attempt.account.id);
    if (draw?.isAllowed === false) throw limitReached(draw, clock.now());
    let isWrong = false;
    try {
      return await work();
    } catch (error) {
      isWrong = error instanceof Failure && wrongCodes.has(error.code);
      throw error;
    } finally {
      if (isWrong) await noteWrong(attempt, draw);
      else if (draw) await giveBack([draw], deps);
    }
  }

  /** @returns the passkey of a response that is right, whatever account it is of */
  async function passkeyOf(
    { kind, response }: SecondFactor,
    { sessionId, ctx }: Pick<Attempt, 'sessionId' | 'ctx'>,
  ): Promise<ProvenPasskey | null> {
    if (kind !== 'passkey' || !response) return null;
    const use: ChallengeUse =
      sessionId === null ? { purpose: 'SIGN_IN', sessionId } : { purpose: 'PROOF', sessionId };
    const challenge = await challenges.take(response.response.clientDataJSON, use);
    return challenge === null ? null : proofs.verify(response, challenge, ctx);
  }

  async function isOf(
    tx: Transaction,
    { id: userId }: Account,
    passkey: ProvenPasskey | null,
  ): Promise<boolean> {
    if (passkey?.userId !== userId) return false;
    return hasPasskey(tx, { id: passkey.id, userId });
  }

  /** Lists what the account could present now. */
  async function kindsOf(db: Executor, userId: string): Promise<SecondFactorKind[]> {
    const has: Record<SecondFactorKind, boolean> = {
      passkey: (await countPasskeys(db, userId)) > 0,
      totp: (await findTotp(db, userId)) !== null,
      recovery: (await countRecoveryCodes(db, userId, codes.keyIds)) > 0,
    };
    return secondFactorKinds.filter((kind) => has[kind]);
  }

  async function demand(tx: Transaction, userId: string): Promise<void> {
    if (await findHasSecondFactor(tx, userId)) {
      throw secondFactorRequired(await kindsOf(tx, userId));
    }
  }

  async function prove(
    tx: Transaction,
    attempt: Presented,
    passkey: ProvenPasskey | null,
  ): Promise<void> {
    const { account } = attempt;
    if (!(await findHasSecondFactor(tx, account.id))) return;
    if (!(await isRight(tx, attempt, passkey))) throw new Failure('second_factor_invalid');
  }

  function isRight(
    tx: Transaction,
    attempt: Presented,
    passkey: ProvenPasskey | null,
  ): Promise<boolean> {
    const { account, presented } = attempt;
    switch (presented.kind) {
      case 'passkey':
        return isOf(tx, account, passkey);
      case 'totp':
        return acceptTotp(tx, account.id, presented.code ?? '');
      case 'recovery':
        return acceptRecoveryCode(tx, attempt);
    }
  }

  async function acceptTotp(tx: Transaction, userId: string, code: string): Promise<boolean> {
    const factor = await findTotp(tx, userId);
    if (!factor) return false;
    const secret = secrets.open(userId, factor.secret);
    if (!secret) {
      log.error({ userId }, 'the key of the secret of an authenticator app is missing');
      return false;
    }
    const step = stepOf(secret, code, clock.now());
    return step !== null && acceptStep(tx, { userId, secret: factor.secret, step });
  }

  async function acceptRecoveryCode(
    tx: Transaction,
    { account, presented, ctx }: Presented,
  ): Promise<boolean> {
    const hashes = codes.hashesOf(account.id, presented.code ?? '');
    if (!(await useRecoveryCode(tx, account.id, hashes))) return false;
    const now = clock.now();
    await recordAccountActivity(tx, {
      ...aboutUser(account, ctx, now),
      action: 'user.use_recovery_code',
    });
    await enqueueSecurityNotice(tx, { userId: account.id, about: 'RECOVERY_CODE_USED' }, ctx);
    return true;
  }

  /** The response is already determined; neither an unavailable counter nor the queue changes it. */
  async function noteWrong({ account, kind, notice, ctx }: Wrong, draw: Draw | null) {
    telemetry?.countSecondFactorFailure(kind);
    // The one that exhausts the quota tells: one mail for each window.
    if (draw?.remaining !== 0) return;
    try {
      await enqueueSecurityNotice(db, { userId: account.id, about: notice }, ctx);
    } catch (error) {
      log.warn({ err: error }, 'a mail about wrong second factors could not be enqueued');
    }
  }
}
