import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Tells whether there is a network, as far as the browser knows. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
}
