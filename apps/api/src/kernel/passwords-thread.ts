/** The entry point of the password hasher's threads. */
import { hashSync, verifySync } from '@node-rs/argon2';

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** @param salt - default: a random one */
export function hash({ password, salt }: { password: string; salt: Uint8Array | null }): string {
  return hashSync(password, salt ? { ...parameters, salt } : parameters);
}

export function verify({ hash, password }: { hash: string; password: string }): boolean {
  return verifySync(hash, password);
}
