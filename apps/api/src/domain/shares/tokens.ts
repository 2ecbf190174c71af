import { hashSecretToken } from '../../kernel/secret-tokens.ts';
import type { Keys } from '../../kernel/keys.ts';
import { createSeal } from '../../kernel/seal.ts';
import { newShareToken } from '../../kernel/share-tokens.ts';

/** A token as it is stored. */
interface StoredToken {
  readonly id: string;
  readonly token: Buffer;
}

/** Makes the tokens of shares, and seals them for the database. */
export function shareTokens(keys: Pick<Keys, 'shareTokens'>) {
  const seal = createSeal(keys.shareTokens);
  const contextOf = (id: string) => `share ${id} token`;

  return {
    /** @param id - of the share */
    issue(id: string) {
      const token = newShareToken();
      return { tokenHash: hashSecretToken(token), token: seal.seal(token, contextOf(id)) };
    },

    /** @returns null if the key that sealed it is gone */
    open({ id, token }: StoredToken): string | null {
      return seal.open(token, contextOf(id))?.toString() ?? null;
    },

    /** Seals what another key has sealed with the current one. @returns null if the other one is gone */
    resealed({ id, token }: StoredToken): Buffer | null {
      const opened = seal.open(token, contextOf(id));
      return opened && seal.seal(opened, contextOf(id));
    },

    /** Names the key that seals now: the first bytes of what it has sealed. */
    currentKey: Buffer.from(keys.shareTokens.current.id, 'base64url'),
  };
}

export type ShareTokens = ReturnType<typeof shareTokens>;
