import { useEffect, useEffectEvent } from 'react';

const intervalMs = 5000;

/**
 * Tries again when the network is back, and every few seconds while it seems to be there.
 *
 * @returns a cleanup function
 */
export function retryOnline(retry: () => void): () => void {
  const timer = setInterval(() => {
    if (navigator.onLine) retry();
  }, intervalMs);
  addEventListener('online', retry);
  return () => {
    clearInterval(timer);
    removeEventListener('online', retry);
  };
}

/** Does the same while the component is shown. */
export function useRetryOnline(retry: () => void): void {
  const latest = useEffectEvent(retry);
  useEffect(() => retryOnline(() => latest()), []);
}
