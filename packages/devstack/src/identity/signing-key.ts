import type { KeyObject } from 'node:crypto';
import { createHash, createPrivateKey, generateKeyPair } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JWK } from 'oidc-provider';
import { writeFileAtomically } from '../atomic-file.ts';

/** A private RSA key for the provider's key set. */
export type SigningKey = JWK & { kid: string };

const generate = promisify(generateKeyPair);

async function makeKey(): Promise<KeyObject> {
  return (await generate('rsa', { modulusLength: 2048 })).privateKey;
}

function signingKeyOf(key: KeyObject): SigningKey {
  const jwk = key.export({ format: 'jwk' });
  const kid = createHash('sha256').update(String(jwk.n)).digest('base64url').slice(0, 16);
  return { ...jwk, kid, use: 'sig', alg: 'RS256' };
}

function parseKey(text: string): SigningKey {
  const key = createPrivateKey(text);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('it is not an RSA key');
  return signingKeyOf(key);
}

/**
 * Loads or generates the key that signs identity tokens. It is stored in `dataDir` (mode 0600), so that tokens stay
 * valid after a restart; without a directory it is generated for this run.
 *
 * @throws Error that names the file when it is malformed
 */
export async function signingKey(dataDir: string | undefined): Promise<SigningKey> {
  if (dataDir === undefined) return signingKeyOf(await makeKey());
  const path = join(dataDir, 'signing-key.pem');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const key = await makeKey();
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileAtomically(path, key.export({ type: 'pkcs8', format: 'pem' }));
    return signingKeyOf(key);
  }
  try {
    return parseKey(text);
  } catch (cause) {
    throw new Error(`${path} is malformed; delete it, and the next start generates a new one.`, {
      cause,
    });
  }
}
