import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../session/query-client.ts';
import { createStore } from '../ui/store.ts';
import type { ChangeKind } from './change.ts';
import { itemsOf } from './declare.ts';
import {
  withResponse,
  pendingChanges,
  planned,
  unsettledChanges,
  type PendingChange,
  type UnsettledChange,
} from './pending.ts';

interface Waiting {
  readonly changes: readonly PendingChange[];
  readonly items: ReadonlySet<string>;
}

const waiting = createStore<Waiting>({ changes: [], items: new Set() });

function refresh(): void {
  const pending = pendingChanges(queryClient);
  // They are sent in order: behind one that waits, all do.
  const changes = pending.some(({ isWaiting }) => isWaiting) ? pending : [];
  // Most mutations are sent at once.
  if (changes.length === 0 && waiting.get().changes.length === 0) return;
  const items = new Set(changes.flatMap(({ name, variables }) => itemsOf(name, variables)));
  waiting.set({ changes, items });
}

queryClient.getMutationCache().subscribe(refresh);
// Their mutations end only once their queries have been fetched again.
withResponse.subscribe(refresh);
onlineManager.subscribe(refresh);
planned.subscribe(refresh);

/** Returns the changes that wait for the network, in order. */
export function useWaitingChanges(): readonly PendingChange[] {
  return useSyncExternalStore(waiting.subscribe, () => waiting.get().changes);
}

/** Tells whether an item has changes that wait for the network. */
export function useIsUnsent(id: string): boolean {
  return useSyncExternalStore(waiting.subscribe, () => waiting.get().items.has(id));
}

const unsettled = createStore<readonly UnsettledChange[]>([]);

queryClient.getMutationCache().subscribe(() => {
  const next = unsettledChanges(queryClient);
  const before = unsettled.get();
  const isSame =
    next.length === before.length &&
    next.every(({ input }, index) => input === before[index]?.input);
  if (!isSame) unsettled.set(next);
});

/** Returns the inputs of the changes of a kind, in order, until the queries that they concern have been fetched again. */
export function useUnsettledInputs<Input, Data>({
  name,
}: ChangeKind<Input, Data>): readonly Input[] {
  return (
    useSyncExternalStore(unsettled.subscribe, unsettled.get)
      .filter((change) => change.name === name)
      // Only the kind itself makes changes of its name.
      .map(({ input }) => input as Input)
  );
}
