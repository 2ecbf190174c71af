import { useSyncExternalStore } from 'react';
import { createStore } from '../ui/store.ts';

const key = 'svc_organization_id';

/**
 * The organization of this tab; null is the personal one. Kept in local storage for the next visit, but
 * not read from there again: another tab that changes over must not take this one along.
 */
const choice = createStore<string | null>(kept());

export function selectedOrganizationId(): string | null {
  return choice.get();
}

/** Works in another organization from now on. */
export function selectOrganization(id: string | null): void {
  try {
    if (id) localStorage.setItem(key, id);
    else localStorage.removeItem(key);
  } catch {
    // Storage is full or forbidden: it lasts until the page ends.
  }
  if (id !== choice.get()) choice.set(id);
}

export function useOrganizationId(): string | null {
  return useSyncExternalStore(choice.subscribe, choice.get);
}

function kept(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
