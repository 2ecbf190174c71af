import { createHmac } from 'node:crypto';
import type { Keys } from '../../kernel/keys.ts';

const saltBytes = 16;

/**
 * Salts for the passwords of registrations: one for each address, which nobody without the key can tell.
 *
 * Registering an address twice with one password gives the same hash twice, so that the statement that stores it
 * sees whether they differ: a single hash, however often and in parallel, and no comparison that takes time.
 *
 * @see docs/decisions/0055-passwords-and-registration.md
 */
export function registrationSalts({
  registrationSalts: { current },
}: Pick<Keys, 'registrationSalts'>): (email: string) => Uint8Array {
  return (email) => createHmac('sha256', current.key).update(email).digest().subarray(0, saltBytes);
}
