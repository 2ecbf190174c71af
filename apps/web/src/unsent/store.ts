import { createStore, del, entries, set, type UseStore } from 'idb-keyval';
import type { UnsentChange } from './change.ts';

/** An unsent change as it is stored. Holds what the user did, never a token or a response. */
export interface StoredChange {
  readonly name: string;
  readonly variables: UnsentChange;
}

let openedDatabase: UseStore | undefined;

function database(): UseStore {
  openedDatabase ??= createStore('atelier-unsent', 'changes');
  return openedDatabase;
}

/** Replaces the changes of a tab. */
export async function storeChanges(tab: string, changes: readonly StoredChange[]): Promise<void> {
  await (changes.length === 0 ? del(tab, database()) : set(tab, changes, database()));
}

/** Returns the changes of all tabs of this browser, by tab. */
export async function storedChanges(): Promise<ReadonlyMap<string, readonly StoredChange[]>> {
  return new Map(await entries<string, readonly StoredChange[]>(database()));
}
