import { useRef } from 'react';

/** Addresses of the storage work for 5 minutes or longer. */
export const freshMs = 4 * 60_000;

/**
 * Returns a function that asks for new addresses, once while they last: each response has others, also for a picture
 * that never works.
 */
export function useRenewal(renew: () => void): () => void {
  const renewedAtMs = useRef(-Infinity);
  return () => {
    if (Date.now() - renewedAtMs.current < freshMs) return;
    renewedAtMs.current = Date.now();
    renew();
  };
}
