import type { PasskeyAuthentication } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import type { PublicContext } from '../../kernel/context.ts';
import { enqueueSecurityNotice } from '../security-notices.ts';
import { findPasskey, noteUse } from './queries.ts';
import { relyingParty } from './relying-party.ts';

/** A passkey that has signed a challenge of the service. */
export interface ProvenPasskey {
  readonly id: string;
  readonly userId: string;
}

/** Verifies what passkeys have signed. */
export function passkeyProofs(deps: Pick<Deps, 'db' | 'clock' | 'config'>) {
  const { db, clock } = deps;
  const party = relyingParty(deps);

  return {
    /** @returns the account of a passkey that a response claims to be of; null for an unknown one */
    async ownerOf({ id }: PasskeyAuthentication) {
      const passkey = await findPasskey(db, Buffer.from(id, 'base64url'));
      return passkey && { id: passkey.userId, email: passkey.email };
    },

    /**
     * Verifies a response and notes the use of its passkey, whatever it is used for.
     *
     * @param challenge - the one that it has used up
     * @returns null if it is wrong; a counter that has not risen is mailed too
     */
    async verify(
      response: PasskeyAuthentication,
      challenge: string,
      ctx: PublicContext,
    ): Promise<ProvenPasskey | null> {
      const credentialId = Buffer.from(response.id, 'base64url');
      const passkey = await findPasskey(db, credentialId);
      const signed = passkey && (await party.verifySignature(response, challenge, passkey));
      if (!signed) return null;
      const { id, userId } = passkey;
      if (await noteUse(db, { id, ...signed, now: clock.now() })) return { id, userId };
      // Unless it was removed just now.
      if (await findPasskey(db, credentialId)) {
        await enqueueSecurityNotice(db, { userId, about: 'PASSKEY_COPIED' }, ctx);
      }
      return null;
    },
  };
}
