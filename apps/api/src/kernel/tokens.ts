import { hash } from 'node:crypto';
import { lifetimes } from '@atelier/contract';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { candidatesOf, mapKeys, type Keys } from './keys.ts';

const issuer = 'atelier';
const audience = 'atelier-api';
const requiredClaims = ['sub', 'sid', 'jti', 'typ', 'iat', 'exp'];
const cachedAccessTokens = 10_000;

const envelope = {
  keyManagementAlgorithms: ['dir'],
  contentEncryptionAlgorithms: ['A256GCM'],
};
const signature = {
  algorithms: ['HS256'],
  issuer,
  audience,
  requiredClaims,
  // The caller compares the expiry with the service's own clock.
  currentDate: new Date(0),
};

/** The claims of a token that is decrypted and verified. */
export interface TokenClaims {
  readonly userId: string;
  readonly sessionId: string;
  /** Identifier of this token. */
  readonly jti: string;
  readonly expiresAt: Date;
}

export type TokenType = 'access' | 'refresh';

/**
 * Issues and verifies tokens: a JWT signed with HS256, then encrypted with AES-256-GCM in a compact JWE with
 * a fresh IV, so that clients can't read it. Both headers name their key.
 */
export interface TokenCodec {
  issue(type: TokenType, claims: Omit<TokenClaims, 'expiresAt'>, now: Date): Promise<string>;
  /** @returns null for anything but a genuine, unexpired token of this type */
  read(type: TokenType, token: string, now: Date): Promise<TokenClaims | null>;
}

/** Lifetime of each token type, in seconds. */
const ttlSeconds = {
  access: lifetimes.accessTokenSeconds,
  refresh: lifetimes.refreshTokenSeconds,
} as const satisfies Record<TokenType, number>;

/** Creates a codec that imports every key once instead of once per token. */
export function createTokenCodec(
  keys: Pick<Keys, 'tokenSignature' | 'tokenEncryption'>,
): TokenCodec {
  const signing = mapKeys(keys.tokenSignature, (key) =>
    key.toCryptoKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']),
  );
  const encryption = mapKeys(keys.tokenEncryption, (key) =>
    key.toCryptoKey('AES-GCM', false, ['encrypt', 'decrypt']),
  );
  // Only the cryptographic result is cached: expiry, session and account are checked on every request.
  const genuine = new LRUCache<string, TokenClaims>({ max: cachedAccessTokens });

  async function decode(type: TokenType, token: string): Promise<TokenClaims | null> {
    try {
      const { kid } = decodeProtectedHeader(token);
      const { plaintext } = await firstOf(candidatesOf(encryption, kid), (key) =>
        compactDecrypt(token, key, envelope),
      );
      const jwt = Buffer.from(plaintext).toString();
      const signer = decodeProtectedHeader(jwt).kid;
      // Either both headers name a key, or (in tokens older than key ids) neither does.
      if ((kid === undefined) !== (signer === undefined)) return null;
      const { payload } = await firstOf(candidatesOf(signing, signer), (key) =>
        jwtVerify(jwt, key, signature),
      );
      const { sub, sid, jti, typ, exp } = payload;
      if (typ !== type || !sub || typeof sid !== 'string' || !jti || !exp) return null;
      return { userId: sub, sessionId: sid, jti, expiresAt: new Date(exp * 1000) };
    } catch {
      return null;
    }
  }

  return {
    async issue(type, { userId, sessionId, jti }, now) {
      const issuedAt = Math.floor(now.getTime() / 1000);
      const jwt = await new SignJWT({ sid: sessionId, typ: type })
        .setProtectedHeader({ alg: 'HS256', kid: signing.current.id })
        .setSubject(userId)
        .setJti(jti)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ttlSeconds[type])
        .sign(signing.current.key);
      return new CompactEncrypt(new TextEncoder().encode(jwt))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: encryption.current.id })
        .encrypt(encryption.current.key);
    },
    async read(type, token, now) {
      if (type === 'refresh') return unexpired(await decode(type, token), now);
      const cacheKey = hash('sha256', token, 'base64');
      const known = genuine.get(cacheKey);
      if (known) return unexpired(known, now);
      const claims = await decode(type, token);
      if (claims) genuine.set(cacheKey, claims);
      return unexpired(claims, now);
    },
  };
}

function unexpired(claims: TokenClaims | null, now: Date): TokenClaims | null {
  return claims && claims.expiresAt > now ? claims : null;
}

/**
 * Tries one key after the other.
 *
 * @throws the error of the last key
 */
async function firstOf<Key, Result>(
  keys: readonly Key[],
  read: (key: Key) => Promise<Result>,
): Promise<Result> {
  const [key, ...others] = keys;
  if (key === undefined) throw new Error('No key');
  if (others.length === 0) return read(key);
  return read(key).catch(() => firstOf(others, read));
}
