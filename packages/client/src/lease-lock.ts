import type { Lock } from './lock.ts';
import { randomKey, sleep } from './waiting.ts';

/** The part of the Web Storage API that tokens and locks need. */
export type LeaseStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** How long a lease lasts when its tab dies; a living one renews it. */
const leaseMs = 10_000;
/** How long a claim has to stand: writes of other tabs that saw the lock free have arrived by then. */
const settleMs = 100;

/**
 * A lock in storage that tabs share, for pages without Web Locks. Storage can't compare and set, so a
 * claim is written, left to settle, and counts only if no other tab has written over it.
 */
export function leaseLock(storage: LeaseStorage, key: string): Lock {
  return async (task) => {
    const owner = randomKey();
    const claim = () => storage.setItem(key, `${owner} ${Date.now() + leaseMs}`);
    const isMine = () => storage.getItem(key)?.startsWith(owner);
    while (!isMine()) {
      const leftMs = Number(storage.getItem(key)?.split(' ')[1]) - Date.now();
      // Written so that a value that makes no sense, or of a clock that was wrong, counts as free.
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
