import { createHash } from 'node:crypto';

/** What is stored of a token that was handed out: its SHA-256. */
export function hashSecretToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
