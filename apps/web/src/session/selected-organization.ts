import { useSyncExternalStore } from 'react';
import { createStore } from '../ui/store.ts';

const key = 'svc_organization_id';
const personal = '';

/**
 * The organization selected in this tab; `null` = the personal one. Local storage keeps it for the next
 * visit, but it is read only once for a user: switching in another tab must not switch this one.
 */
const selected = createStore<string | null>(stored());

export function selectedOrganizationId(): string | null {
  return selected.get();
}

/** Selects an organization; `null` = the personal one. */
export function selectOrganization(id: string | null): void {
  try {
    localStorage.setItem(key, id ?? personal);
  } catch {
    // Without storage, the selection lasts until the page is closed.
  }
  if (id !== selected.get()) selected.set(id);
}

/** Tells whether an organization, even the personal one, has been selected in this browser. */
export function hasSelectedOrganization(): boolean {
  try {
    return selected.get() !== null || localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

/** Clears the selection, so that the next user starts without one. */
export function forgetSelectedOrganization(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage, nothing was stored.
  }
  if (selected.get() !== null) selected.set(null);
}

/** Reads the stored selection again, which is that of another user. */
export function readSelectedOrganization(): void {
  selected.set(stored());
}

export function useOrganizationId(): string | null {
  return useSyncExternalStore(selected.subscribe, selected.get);
}

function stored(): string | null {
  try {
    return localStorage.getItem(key) || null;
  } catch {
    return null;
  }
}
