import { createHmac } from 'node:crypto';
import { wideNetworkOf } from '../../http/caller-address.ts';
import type { Keys } from '../../kernel/keys.ts';

interface Client {
  readonly device: string;
  readonly ipAddress: string;
}

/** Hashes the devices and networks that accounts sign in from, so that the database has neither. */
export function signInOrigins({ signInOrigins: { named } }: Pick<Keys, 'signInOrigins'>) {
  return {
    /** @returns the hashes under all keys, the current one first: a new key makes nothing unknown */
    hashesOf(userId: string, { device, ipAddress }: Client) {
      // An invalid address, which only a trusted proxy can send, is a network of its own.
      const network = wideNetworkOf(ipAddress) ?? 'unknown';
      return { devices: hashes(userId, `device ${device}`), networks: hashes(userId, network) };
    },
  };

  /** The account is part of it: equal origins of two accounts differ. */
  function hashes(userId: string, origin: string): string[] {
    return [...named.values()].map((key) =>
      createHmac('sha256', key).update(`${userId} ${origin}`).digest('base64url'),
    );
  }
}
