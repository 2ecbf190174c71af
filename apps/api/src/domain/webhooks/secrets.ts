import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import type { Keys } from '../../kernel/keys.ts';
import { createSeal } from '../../kernel/seal.ts';

const secretPrefix = 'whsec_';
const publicKeyPrefix = 'whpk_';
const secretBytes = 32;

/** What signs a message. */
export interface Signers {
  readonly secrets: readonly Buffer[];
  readonly signingKey: KeyObject;
}

interface SealedSigners {
  readonly id: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
  readonly previousSecretExpiresAt: Date | null;
  readonly signingKey: Buffer;
}

/** Makes the secrets of endpoints, and seals them for the database. */
export function webhookSecrets(keys: Pick<Keys, 'webhookSecrets'>) {
  const seal = createSeal(keys.webhookSecrets);
  const contextOf = (id: string, what: 'secret' | 'signing key') => `webhook ${id} ${what}`;
  const open = (id: string, sealed: Buffer, what: 'secret' | 'signing key') =>
    seal.open(sealed, contextOf(id, what));

  return {
    /** @returns the secret as it is shown once, and as it is stored */
    newSecret(id: string) {
      const bytes = randomBytes(secretBytes);
      const shown = `${secretPrefix}${bytes.toString('base64')}`;
      return { shown, hint: shown.slice(-4), sealed: seal.seal(bytes, contextOf(id, 'secret')) };
    },

    newSigningKey(id: string) {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const bytes = privateKey.export({ type: 'pkcs8', format: 'der' });
      const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
      return {
        publicKey: `${publicKeyPrefix}${x.toString('base64')}`,
        sealed: seal.seal(bytes, contextOf(id, 'signing key')),
      };
    },

    /** @returns null if the key that sealed them is gone */
    signersOf(webhook: SealedSigners, now: Date): Signers | null {
      const { id, previousSecret, previousSecretExpiresAt } = webhook;
      const secret = open(id, webhook.secret, 'secret');
      const signingKey = open(id, webhook.signingKey, 'signing key');
      if (!secret || !signingKey) return null;
      const isOverlapping = previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
      const previous = isOverlapping && previousSecret && open(id, previousSecret, 'secret');
      return {
        secrets: previous ? [secret, previous] : [secret],
        signingKey: createPrivateKey({ key: signingKey, format: 'der', type: 'pkcs8' }),
      };
    },

    /** Seals what another key has sealed with the current one. @returns null if the other one is gone */
    resealed(webhook: SealedSigners) {
      const { id, previousSecret } = webhook;
      const secret = open(id, webhook.secret, 'secret');
      const signingKey = open(id, webhook.signingKey, 'signing key');
      if (!secret || !signingKey) return null;
      const previous = previousSecret && open(id, previousSecret, 'secret');
      return {
        secret: seal.seal(secret, contextOf(id, 'secret')),
        previousSecret: previous && seal.seal(previous, contextOf(id, 'secret')),
        signingKey: seal.seal(signingKey, contextOf(id, 'signing key')),
      };
    },

    /** Names the key that seals now: the first bytes of what it has sealed. */
    currentKey: Buffer.from(keys.webhookSecrets.current.id, 'base64url'),
  };
}

export type WebhookSecrets = ReturnType<typeof webhookSecrets>;

/**
 * Signs a message by Standard Webhooks 1.0: `v1` with each secret, and `v1a` with the private key.
 *
 * @param timestamp - of this attempt, in seconds
 */
export function signaturesOf(
  { secrets, signingKey }: Signers,
  message: { readonly id: string; readonly timestamp: number; readonly body: Buffer },
): string {
  const signed = Buffer.concat([Buffer.from(`${message.id}.${message.timestamp}.`), message.body]);
  const [current, ...older] = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  const asymmetric = `v1a,${sign(null, signed, signingKey).toString('base64')}`;
  return [current, asymmetric, ...older].join(' ');
}
