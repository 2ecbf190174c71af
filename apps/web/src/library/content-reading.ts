import type { Asset } from '@atelier/client';
import { useEffect, useRef } from 'react';

const againMs = 2000;
/** A service that has not read a content by then is busy with something else. */
const patienceMs = 120_000;

/**
 * Reads assets again until the service has looked into those that are new: it tells nobody when their small
 * pictures, sizes and checksums are there.
 */
export function useContentReading(assets: readonly Asset[], readAgain: () => unknown): void {
  const isReading = assets.some(
    ({ checksum, updatedAt }) =>
      checksum === null && Date.now() - Date.parse(updatedAt) < patienceMs,
  );
  const latest = useRef(readAgain);
  useEffect(() => {
    latest.current = readAgain;
  });
  useEffect(() => {
    if (!isReading) return undefined;
    const timer = setInterval(() => void latest.current(), againMs);
    return () => clearInterval(timer);
  }, [isReading]);
}
