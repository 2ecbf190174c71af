import { createHash } from 'node:crypto';

/** Hashes an issued token for storage, with SHA-256. */
export function hashSecretToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
