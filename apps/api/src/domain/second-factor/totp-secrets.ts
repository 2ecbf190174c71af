import type { Keys } from '../../kernel/keys.ts';
import { createSeal } from '../../kernel/seal.ts';

/** Seals the secrets of authenticator apps for the database. Each opens for its account only. */
export function totpSecrets(keys: Pick<Keys, 'totpSecrets'>) {
  const seal = createSeal(keys.totpSecrets);
  const contextOf = (userId: string) => `one-time codes of ${userId}`;
  const open = (userId: string, sealed: Buffer) => seal.open(sealed, contextOf(userId));
  const sealed = (userId: string, secret: Buffer) => seal.seal(secret, contextOf(userId));

  return {
    seal: sealed,
    /** @returns null if the key that sealed it is gone */
    open,
    /** Seals with the current key what another one has sealed. @returns null if that one is gone */
    reseal(userId: string, secret: Buffer): Buffer | null {
      const opened = open(userId, secret);
      return opened && sealed(userId, opened);
    },
    /** Names the key that seals now: the first bytes of what it has sealed. */
    currentKey: Buffer.from(keys.totpSecrets.current.id, 'base64url'),
  };
}

export type TotpSecrets = ReturnType<typeof totpSecrets>;
