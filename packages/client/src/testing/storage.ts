import type { LeaseStorage } from '../lease-lock.ts';

/** Creates a storage that the tabs of one browser share. */
export function sharedStorage(): LeaseStorage & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}
