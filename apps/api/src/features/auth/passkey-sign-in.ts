import type { PasskeyAuthentication } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { lockAccount } from '../../domain/account-sessions/queries.ts';
import { passkeyChallenges } from '../../domain/passkeys/challenges.ts';
import { passkeyProofs } from '../../domain/passkeys/passkeys.ts';
import { relyingParty } from '../../domain/passkeys/relying-party.ts';
import { secondFactors } from '../../domain/second-factor/second-factor.ts';
import type { PublicContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { sessionStarter } from './sessions.ts';

const use = { purpose: 'SIGN_IN', sessionId: null } as const;

/**
 * Signs in with a passkey alone.
 *
 * @see docs/decisions/0075-passkeys.md
 */
export function passkeySignIn(deps: Deps) {
  const { db, clock } = deps;
  const challenges = passkeyChallenges(deps);
  const proofs = passkeyProofs(deps);
  const party = relyingParty(deps);
  const factors = secondFactors(deps);
  const { startWithin, issuePair } = sessionStarter(deps);

  return {
    /** Names no passkeys: it is the same for all callers. */
    challenge: async () => party.requestOptions(await challenges.issue(use), []),

    /**
     * @throws Failure `passkey_invalid`, `account_suspended` or `account_deletion_pending` (400), `rate_limited` (429)
     *   after too many wrong second factors of the account
     */
    async logIn(response: PasskeyAuthentication, ctx: PublicContext) {
      const challenge = await challenges.take(response.response.clientDataJSON, use);
      // Without an email, the passkey has to say itself whose it is.
      const claims = challenge !== null && response.response.userHandle !== undefined;
      const account = claims ? await proofs.ownerOf(response) : null;
      if (!account) throw new Failure('passkey_invalid');
      const session = await factors.triedWithPasskey(
        { account, response, challenge, ctx },
        (prove) =>
          db.transaction(async (tx) => {
            const locked = await lockAccount(tx, account.id);
            await prove(tx);
            if (!locked) throw new Failure('passkey_invalid');
            const { passwordHash } = locked;
            const proof = { by: 'passkey', secondFactor: null } as const;
            return startWithin(tx, { ...account, ...proof, passwordHash, locked }, ctx);
          }),
      );
      return { user: account, token: await issuePair(session, clock.now()) };
    },
  };
}
