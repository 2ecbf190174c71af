import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates a resource id: UUID, version 7, lower case. */
export function newId(): string {
  return randomUUIDv7();
}

/** Creates a secret of 256 random bits, base64url: 43 characters. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Creates a code of 16 base62 characters, about 95 bits: enough to make guessing a link infeasible. */
export function newShortCode(): string {
  return Array.from({ length: 16 }, () => base62[randomInt(base62.length)]).join('');
}
