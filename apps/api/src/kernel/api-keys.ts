import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiKeyPattern } from '@atelier/contract';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomCharacters = 40;
const checksumCharacters = 6;
const prefixCharacters = 12;

/** A new key, and what is stored of it. */
export interface IssuedKey {
  /** 54 characters: the kind, 238 random bits, and a checksum of both. */
  readonly key: string;
  readonly keyHash: Buffer;
  /** For display. */
  readonly prefix: string;
  readonly lastFour: string;
}

const kinds = { PERSONAL: 'pat', SERVICE: 'svc' } as const;

export type ApiKeyKind = keyof typeof kinds;

export function issueApiKey(kind: ApiKeyKind): IssuedKey {
  const secret = Array.from({ length: randomCharacters }, () => digits[randomInt(digits.length)]);
  const unchecked = `atl_${kinds[kind]}_${secret.join('')}`;
  const key = unchecked + checksumOf(unchecked);
  return {
    key,
    keyHash: hashOf(key),
    prefix: key.slice(0, prefixCharacters),
    lastFour: key.slice(-4),
  };
}

/** Whether a bearer value is to be read as an API key. */
export function looksLikeApiKey(bearer: string): boolean {
  return bearer.startsWith('atl_');
}

/** @returns the hash that a key is found by, and its kind; null for a mistyped or invented one */
export function readApiKey(key: string): { keyHash: Buffer; kind: ApiKeyKind } | null {
  if (!apiKeyPattern.test(key)) return null;
  const unchecked = key.slice(0, -checksumCharacters);
  if (key !== unchecked + checksumOf(unchecked)) return null;
  return {
    keyHash: hashOf(key),
    kind: key.startsWith(`atl_${kinds.SERVICE}_`) ? 'SERVICE' : 'PERSONAL',
  };
}

/** The key is random, so a fast hash is enough: nothing of it can be guessed. */
function hashOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** CRC-32 in base62, which tells a typing error without a secret. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let place = 0; place < checksumCharacters; place += 1) {
    checksum = `${digits[rest % digits.length]}${checksum}`;
    rest = Math.floor(rest / digits.length);
  }
  return checksum;
}
