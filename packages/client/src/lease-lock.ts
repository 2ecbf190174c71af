import type { Lock } from './lock.ts';
import { randomKey, sleep } from './waiting.ts';

/** The methods of Web Storage that tokens and locks need. */
export interface LeaseStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** How long a lease outlives its tab; an open tab renews it. */
const leaseMs = 10_000;
/** How long a claim must last: by then, writes of other tabs that saw the lock free have arrived. */
const settleMs = 100;

/**
 * Creates a lock in storage that tabs share, for pages without Web Locks. Storage has no compare-and-set, so a
 * claim counts only if no other tab overwrites it for a while.
 */
export function leaseLock(storage: LeaseStorage, key: string): Lock {
  return async (task) => {
    const owner = randomKey();
    const claim = () => storage.setItem(key, `${owner} ${Date.now() + leaseMs}`);
    const isMine = () => storage.getItem(key)?.startsWith(owner);
    while (!isMine()) {
      const leftMs = Number(storage.getItem(key)?.split(' ')[1]) - Date.now();
      // A malformed value, or one of a wrong clock, counts as free.
      if (!(leftMs > 0 && leftMs <= leaseMs)) claim();
      await sleep(settleMs * (1 + Math.random()));
    }
    const renewal = setInterval(() => isMine() && claim(), leaseMs / 4);
    try {
      return await task();
    } finally {
      clearInterval(renewal);
      if (isMine()) storage.removeItem(key);
    }
  };
}
