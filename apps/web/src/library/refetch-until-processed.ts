import type { Asset } from '@atelier/client';
import { useEffect, useRef } from 'react';

const intervalMs = 2000;
/** Stops polling for assets that have not been processed by then. */
const timeoutMs = 120_000;

/**
 * Polls assets until the service has processed the new ones: no event tells when their thumbnails,
 * dimensions and checksums are ready.
 */
export function useRefetchUntilProcessed(assets: readonly Asset[], refetch: () => unknown): void {
  const isProcessing = assets.some(
    ({ checksum, updatedAt }) =>
      checksum === null && Date.now() - Date.parse(updatedAt) < timeoutMs,
  );
  const latest = useRef(refetch);
  useEffect(() => {
    latest.current = refetch;
  });
  useEffect(() => {
    if (!isProcessing) return undefined;
    const timer = setInterval(() => void latest.current(), intervalMs);
    return () => clearInterval(timer);
  }, [isProcessing]);
}
