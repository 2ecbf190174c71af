import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../session/query-client.ts';
import { createStore } from '../ui/store.ts';
import { itemsOf } from './declare.ts';
import { pendingChanges, planned, type PendingChange } from './pending.ts';

interface Waiting {
  readonly changes: readonly PendingChange[];
  readonly items: ReadonlySet<string>;
}

const store = createStore<Waiting>({ changes: [], items: new Set() });

function refresh(): void {
  const pending = pendingChanges(queryClient);
  // They are sent in order: behind one that waits, all do.
  const changes = pending.some(({ isWaiting }) => isWaiting) ? pending : [];
  // Most mutations are sent at once.
  if (changes.length === 0 && store.get().changes.length === 0) return;
  const items = new Set(changes.flatMap(({ name, variables }) => itemsOf(name, variables)));
  store.set({ changes, items });
}

queryClient.getMutationCache().subscribe(refresh);
onlineManager.subscribe(refresh);
planned.subscribe(refresh);

/** Returns the changes that wait for the network, in order. */
export function useWaitingChanges(): readonly PendingChange[] {
  return useSyncExternalStore(store.subscribe, () => store.get().changes);
}

/** Tells whether an item has changes that wait for the network. */
export function useIsUnsent(id: string): boolean {
  return useSyncExternalStore(store.subscribe, () => store.get().items.has(id));
}
