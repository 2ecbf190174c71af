import { createStore, del, entries, set, type UseStore } from 'idb-keyval';
import type { UnsentChange } from './change.ts';

/** An unsent change as it is stored. Holds what the user did, never a token or a response. */
export interface StoredChange {
  readonly name: string;
  readonly variables: UnsentChange;
}

let opened: UseStore | undefined;

function store(): UseStore {
  opened ??= createStore('atelier-unsent', 'changes');
  return opened;
}

/** Replaces the changes of a tab. */
export async function storeChanges(tab: string, changes: readonly StoredChange[]): Promise<void> {
  await (changes.length === 0 ? del(tab, store()) : set(tab, changes, store()));
}

/** Returns the changes of all tabs of this browser, by tab. */
export async function storedChanges(): Promise<ReadonlyMap<string, readonly StoredChange[]>> {
  return new Map(await entries<string, readonly StoredChange[]>(store()));
}
