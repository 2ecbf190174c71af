import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { lockAccount } from '../../domain/account-sessions/queries.ts';
import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import { enqueueSecurityNotice } from '../../domain/security-notices.ts';
import { hasSignInMethod, lockIdentitiesOf } from '../../domain/sign-in-methods/queries.ts';
import { mutate } from '../../domain/transaction.ts';
import type { UserContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import type { ProviderId } from '../../ports/identity-provider.ts';
import { deleteIdentities, voidExchangeCodes } from './queries.ts';

/** Disconnects sign-in providers from an account. */
export function identityRemoval({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  /**
   * Sessions stay open. Sign-ins that are on their way back from a provider fail.
   *
   * @throws Failure `not_found` (404) without such an identity, `last_sign_in_method` (409)
   */
  return async (provider: ProviderId, ctx: UserContext) => {
    const { user } = ctx;
    const now = clock.now();
    const lockFirst = async (tx: Transaction) => {
      // A sign-in that has found the identity already has issued its code by then.
      await lockIdentitiesOf(tx, { userId: user.id, provider });
      await voidExchangeCodes(tx, user.id);
      // The first one has waited for exchanges that make tickets of their codes.
      await voidExchangeCodes(tx, user.id);
      await lockAccount(tx, user.id);
    };
    return mutate({ db, clock, ctx, lockFirst }, async (tx) => {
      if (!(await deleteIdentities(tx, { userId: user.id, provider }))) {
        throw new Failure('not_found');
      }
      if (!(await hasSignInMethod(tx, user.id))) throw new Failure('last_sign_in_method');
      await recordAccountActivity(tx, {
        ...aboutUser(user, ctx, now),
        action: 'user.unlink_identity',
        metadata: { provider },
      });
      await enqueueSecurityNotice(tx, { userId: user.id, about: 'IDENTITY_REMOVED' }, ctx);
      return { provider };
    });
  };
}
