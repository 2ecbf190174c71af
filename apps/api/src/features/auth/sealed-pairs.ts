import type { TokenPair } from '@atelier/contract';
import type { Keys } from '../../kernel/keys.ts';
import { createSeal } from '../../kernel/seal.ts';

/** A refresh that can be repeated. */
export interface KeyedRefresh {
  /** Identifier of the presented refresh token. */
  readonly jti: string;
  /** The client's `Idempotency-Key`. */
  readonly key: string;
}

/**
 * Seals the tokens of a refresh for its repetition.
 *
 * @see docs/decisions/0007-refresh-token-rotation.md
 */
export function sealedPairs({ refreshedPairs }: Pick<Keys, 'refreshedPairs'>) {
  const seal = createSeal(refreshedPairs);
  return {
    seal: (pair: TokenPair, refresh: KeyedRefresh): Buffer =>
      seal.seal(JSON.stringify(pair), contextOf(refresh)),
    /** @returns null for another token or key */
    open(sealed: Buffer, refresh: KeyedRefresh): TokenPair | null {
      const opened = seal.open(sealed, contextOf(refresh));
      return opened && (JSON.parse(opened.toString()) as TokenPair);
    },
  };
}

/** Sealed data opens in its own context only, so neither the key nor a hash of it is stored. */
function contextOf({ jti, key }: KeyedRefresh): string {
  return JSON.stringify([jti, key]);
}
