import {
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

export interface Claims {
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * Creates a reader of the service's access tokens that uses only `node:crypto`: decrypts, verifies, compares the
 * claims. Every opponent uses it, so that none pays for a library that the others don't use.
 *
 * @returns a reader that returns null unless the access token is genuine and unexpired
 */
export function tokenReader(keys: { signingSecret: string; envelopeKey: string }) {
  const encryptionKey = derivedKey(Buffer.from(keys.envelopeKey, 'hex'), 'token encryption');
  const signingKey = derivedKey(Buffer.from(keys.signingSecret), 'token signature');

  return (authorization: string | undefined): Claims | null => {
    if (!authorization?.startsWith('Bearer ')) return null;
    const [header = '', , iv = '', sealed = '', tag = ''] = authorization.slice(7).split('.');
    try {
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, Buffer.from(iv, 'base64url'))
        .setAAD(Buffer.from(header))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      const jwt = decipher.update(sealed, 'base64url', 'utf8') + decipher.final('utf8');
      return claimsOf(jwt, signingKey);
    } catch {
      return null;
    }
  };
}

/** Derives the service's key for a purpose: docs/decisions/0061-keys-by-purpose.md. */
function derivedKey(master: Buffer, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', master, '', `atelier ${purpose} v1`, 32)));
}

function claimsOf(jwt: string, signingKey: KeyObject): Claims | null {
  const end = jwt.lastIndexOf('.');
  const signed = jwt.slice(0, end);
  const wanted = createHmac('sha256', signingKey).update(signed).digest();
  const signature = Buffer.from(jwt.slice(end + 1), 'base64url');
  if (signature.length !== wanted.length || !timingSafeEqual(signature, wanted)) return null;
  // The signature proves that the service wrote it.
  const { sub, sid, typ, iss, aud, exp } = JSON.parse(
    Buffer.from(signed.slice(signed.indexOf('.') + 1), 'base64url').toString(),
  ) as { sub: string; sid: string; typ: string; iss: string; aud: string; exp: number };
  const isOurs = typ === 'access' && iss === 'atelier' && aud === 'atelier-api';
  return isOurs && exp * 1000 > Date.now() ? { userId: sub, sessionId: sid } : null;
}
