import { createHmac, hkdfSync } from 'node:crypto';
import type { Config } from '../../config.ts';

const saltBytes = 16;

/**
 * Salts for the passwords of registrations: one for each address, which nobody without the secrets can tell.
 *
 * Registering an address twice with one password gives the same hash twice, so that the statement that stores it
 * sees whether they differ: a single hash, however often and in parallel, and no comparison that takes time.
 *
 * @see docs/decisions/0055-verification-after-two-registrations.md
 */
export function registrationSalts({
  JWT_SECRET,
  TOKEN_ENVELOPE_KEY,
}: Pick<Config, 'JWT_SECRET' | 'TOKEN_ENVELOPE_KEY'>): (email: string) => Uint8Array {
  const secret = Buffer.from(JWT_SECRET);
  const envelopeKey = Buffer.from(TOKEN_ENVELOPE_KEY, 'hex');
  const key = Buffer.from(hkdfSync('sha256', secret, envelopeKey, 'atelier registration salt', 32));
  return (email) => createHmac('sha256', key).update(email).digest().subarray(0, saltBytes);
}
