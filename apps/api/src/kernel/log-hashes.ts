import { createHmac, type KeyObject } from 'node:crypto';

/** Hashes that let lines of the log be compared, and tell nothing to who lacks the key. */
export interface LogHashes {
  /** @param network - an address, or the network that stands for it */
  address(network: string): string;
  /** @param email - in any case; of an account, or of none */
  account(email: string): string;
}

/** 64 bits: enough to tell apart all that a log names. */
const shownCharacters = 16;

/** @param key - processes with the same key make the same hashes */
export function createLogHashes(key: KeyObject): LogHashes {
  const hash = (kind: string, value: string) =>
    createHmac('sha256', key).update(`${kind}:${value}`).digest('hex').slice(0, shownCharacters);
  return {
    address: (network) => hash('address', network),
    account: (email) => hash('account', email.trim().toLowerCase()),
  };
}
