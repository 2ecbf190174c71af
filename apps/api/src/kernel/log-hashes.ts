import { createHmac, type KeyObject } from 'node:crypto';

/** Hashes that make log lines comparable, and reveal nothing without the key. */
export interface LogHashes {
  /** @param network - an address, or its network */
  address(network: string): string;
  /** @param email - in any case; the account need not exist */
  account(email: string): string;
}

/** 64 bits: enough to distinguish everything in a log. */
const shownCharacters = 16;

/** @param key - processes with the same key produce the same hashes */
export function createLogHashes(key: KeyObject): LogHashes {
  const hash = (kind: string, value: string) =>
    createHmac('sha256', key).update(`${kind}:${value}`).digest('hex').slice(0, shownCharacters);
  return {
    address: (network) => hash('address', network),
    account: (email) => hash('account', email.trim().toLowerCase()),
  };
}
