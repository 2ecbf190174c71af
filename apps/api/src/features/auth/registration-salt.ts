import { createHmac } from 'node:crypto';
import type { Keys } from '../../kernel/keys.ts';

const saltBytes = 16;

/**
 * Derives salts for the passwords of registrations: one for each address, unpredictable without the key.
 *
 * Registering an address twice with one password gives the same hash twice, so that the statement that stores it
 * sees whether they differ: a single hash, however many registrations run in parallel, and no slow comparison.
 *
 * @see docs/decisions/0055-passwords-and-registration.md
 */
export function registrationSalts({
  registrationSalts: { current },
}: Pick<Keys, 'registrationSalts'>): (email: string) => Uint8Array {
  return (email) => createHmac('sha256', current.key).update(email).digest().subarray(0, saltBytes);
}
