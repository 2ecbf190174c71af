import { hash } from 'node:crypto';
import { lifetimes } from '@atelier/contract';
import { CompactEncrypt, compactDecrypt, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

const issuer = 'atelier';
const audience = 'atelier-api';
const requiredClaims = ['sub', 'sid', 'jti', 'typ', 'iat', 'exp'];
const cachedAccessTokens = 10_000;

/** What a token says once it is decrypted and its signature verified. */
export interface TokenClaims {
  readonly userId: string;
  readonly sessionId: string;
  /** Identifier of this one token. */
  readonly jti: string;
  readonly expiresAt: Date;
}

export type TokenType = 'access' | 'refresh';

/**
 * Makes and reads tokens: a JWT signed with HS256, then encrypted with AES-256-GCM in a compact JWE with
 * a fresh IV, so that what a client holds is not readable.
 */
export interface TokenCodec {
  issue(type: TokenType, claims: Omit<TokenClaims, 'expiresAt'>, now: Date): Promise<string>;
  /** @returns null for whatever is not a genuine, unexpired token of this type */
  read(type: TokenType, token: string, now: Date): Promise<TokenClaims | null>;
}

/** Seconds a token of each type lives. */
const ttlSeconds = {
  access: lifetimes.accessTokenSeconds,
  refresh: lifetimes.refreshTokenSeconds,
} as const satisfies Record<TokenType, number>;

/**
 * @param signingSecret - at least 32 bytes
 * @param envelopeKey - 64 hexadecimal characters
 */
export function createTokenCodec(signingSecret: string, envelopeKey: string): TokenCodec {
  // Imported once: of bytes, each token would make a key of its own.
  const signing = crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(signingSecret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );
  const encryption = crypto.subtle.importKey(
    'raw',
    Buffer.from(envelopeKey, 'hex'),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  );
  // Only the arithmetic is remembered: expiry, session and account are checked on every request.
  const genuine = new LRUCache<string, TokenClaims>({ max: cachedAccessTokens });

  async function decode(type: TokenType, token: string): Promise<TokenClaims | null> {
    try {
      const { plaintext } = await compactDecrypt(token, await encryption, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      const { payload } = await jwtVerify(plaintext, await signing, {
        algorithms: ['HS256'],
        issuer,
        audience,
        requiredClaims,
        // Expiry is compared with the service's own clock by the caller.
        currentDate: new Date(0),
      });
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
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(userId)
        .setJti(jti)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ttlSeconds[type])
        .sign(await signing);
      return new CompactEncrypt(new TextEncoder().encode(jwt))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(await encryption);
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
