import type { AccountSecurity } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import { listPasskeys } from '../../domain/passkeys/queries.ts';
import { findPasswordHash } from '../../domain/passwords/queries.ts';
import {
  countRecoveryCodes,
  enableTotp,
  findConfirmedAt,
  findHasSecondFactor,
  findPendingTotp,
  findTotp,
  forgetOtherConfirmations,
  removeTotp,
  replacePendingTotp,
  replaceRecoveryCodes,
  settleSecondFactor,
} from '../../domain/second-factor/queries.ts';
import { recoveryCodes } from '../../domain/second-factor/recovery-codes.ts';
import { base32Of, newTotpSecret, stepOf, totpUri } from '../../domain/second-factor/totp.ts';
import { totpSecrets } from '../../domain/second-factor/totp-secrets.ts';
import { enqueueSecurityNotice } from '../../domain/security-notices.ts';
import { mutate } from '../../domain/transaction.ts';
import type { UserContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { confirmedUntil, factorChange } from './factor-change.ts';
import { presentPasskey } from './passkeys.ts';
import { listIdentities } from './queries.ts';

/**
 * Manages what protects an account.
 *
 * @see docs/decisions/0074-second-factor.md
 */
export function securityUseCases(deps: Deps) {
  const { db, clock, telemetry } = deps;
  const underLock = factorChange(deps);
  const secrets = totpSecrets(deps.keys);
  const codes = recoveryCodes(deps.keys);

  return {
    async overview({ user, credential }: UserContext): Promise<AccountSecurity> {
      const [passwordHash, passkeys, totp, recoveryCodesLeft, identities, confirmedAt] =
        await Promise.all([
          findPasswordHash(db, user.id),
          listPasskeys(db, user.id),
          findTotp(db, user.id),
          countRecoveryCodes(db, user.id, codes.keyIds),
          listIdentities(db, user.id),
          findConfirmedAt(db, credential.id),
        ]);
      const until = confirmedUntil(confirmedAt);
      return {
        hasPassword: passwordHash !== null,
        passkeys: passkeys.map(presentPasskey),
        totp: totp && { enabledAt: totp.enabledAt.toISOString() },
        recoveryCodesLeft,
        identities: identities.map(({ provider, createdAt }) => ({
          provider,
          createdAt: createdAt.toISOString(),
        })),
        confirmedUntil: until > clock.now() ? until.toISOString() : null,
      };
    },

    async startTotp(ctx: UserContext) {
      const { user } = ctx;
      const secret = newTotpSecret();
      return mutate({ db, clock, ctx }, async (tx) => {
        await replacePendingTotp(tx, user.id, secrets.seal(user.id, secret));
        return { secret: base32Of(secret), uri: totpUri(secret, user.email) };
      });
    },

    /**
     * The first code also counts as used. Other sessions lose their confirmation, so that every one that is left has
     * seen the factor.
     *
     * @throws Failure `second_factor_invalid` (400), `not_found` (404) if no secret waits for a code
     */
    async enableTotp(code: string, ctx: UserContext) {
      const { user } = ctx;
      const now = clock.now();
      const issued = codes.issue(user.id);
      return underLock(ctx, async (tx) => {
        const sealed = await findPendingTotp(tx, user.id);
        const secret = sealed && secrets.open(user.id, sealed);
        if (!secret) throw new Failure('not_found');
        const step = stepOf(secret, code, now);
        if (step === null) {
          telemetry?.countSecondFactorFailure('totp');
          throw new Failure('second_factor_invalid');
        }
        await enableTotp(tx, { userId: user.id, step, now });
        await replaceRecoveryCodes(tx, user.id, issued.hashes);
        await forgetOtherConfirmations(tx, { userId: user.id, sessionId: ctx.credential.id });
        await recordAccountActivity(tx, {
          ...aboutUser(user, ctx, now),
          action: 'user.enable_totp',
        });
        await enqueueSecurityNotice(tx, { userId: user.id, about: 'TOTP_ENABLED' }, ctx);
        return { recoveryCodes: issued.shown };
      });
    },

    /** @throws Failure `not_found` (404) if they are off */
    async disableTotp(ctx: UserContext) {
      const { user } = ctx;
      const now = clock.now();
      return underLock(ctx, async (tx) => {
        if (!(await removeTotp(tx, user.id))) throw new Failure('not_found');
        await settleSecondFactor(tx, user.id);
        await recordAccountActivity(tx, {
          ...aboutUser(user, ctx, now),
          action: 'user.disable_totp',
        });
        await enqueueSecurityNotice(tx, { userId: user.id, about: 'TOTP_DISABLED' }, ctx);
        return { totp: null };
      });
    },

    /** @throws Failure `not_found` (404) for an account without a second factor */
    async renewRecoveryCodes(ctx: UserContext) {
      const { user } = ctx;
      const now = clock.now();
      const issued = codes.issue(user.id);
      return underLock(ctx, async (tx) => {
        if (!(await findHasSecondFactor(tx, user.id))) throw new Failure('not_found');
        await replaceRecoveryCodes(tx, user.id, issued.hashes);
        await recordAccountActivity(tx, {
          ...aboutUser(user, ctx, now),
          action: 'user.renew_recovery_codes',
        });
        await enqueueSecurityNotice(tx, { userId: user.id, about: 'RECOVERY_CODES_RENEWED' }, ctx);
        return { recoveryCodes: issued.shown };
      });
    },
  };
}
