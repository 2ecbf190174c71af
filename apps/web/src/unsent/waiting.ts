import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../session/query-client.ts';
import { createStore } from '../ui/store.ts';
import { itemsOf } from './declare.ts';
import { pendingChanges } from './pending.ts';

interface Waiting {
  readonly count: number;
  readonly items: ReadonlySet<string>;
}

const store = createStore<Waiting>({ count: 0, items: new Set() });

function refresh(): void {
  const changes = pendingChanges(queryClient).filter(({ isWaiting }) => isWaiting);
  // Most mutations are sent at once.
  if (changes.length === 0 && store.get().count === 0) return;
  const items = new Set(changes.flatMap(({ name, variables }) => itemsOf(name, variables)));
  store.set({ count: changes.length, items });
}

queryClient.getMutationCache().subscribe(refresh);
onlineManager.subscribe(refresh);

/** Returns the number of changes that wait for the network. */
export function useWaitingCount(): number {
  return useSyncExternalStore(store.subscribe, () => store.get().count);
}

/** Tells whether an item has changes that wait for the network. */
export function useIsUnsent(id: string): boolean {
  return useSyncExternalStore(store.subscribe, () => store.get().items.has(id));
}
