import { useSyncExternalStore } from 'react';
import { createStore } from '../ui/store.ts';

const key = 'svc_organization_id';
const personal = '';

/**
 * The organization selected in this tab; `null` = the personal one. Local storage keeps it for the next
 * visit, but once there is one, it is read only for another user: switching in another tab must not switch this one.
 */
const selected = createStore<string | null>(null);

/** Whether an organization, even the personal one, has been selected. */
let isSelected = false;

readSelectedOrganization();

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
  isSelected = true;
  if (id !== selected.get()) selected.set(id);
}

/** Tells whether an organization, even the personal one, has been selected in this browser. */
export function hasSelectedOrganization(): boolean {
  // Another tab may have been faster to select that of a new user.
  if (!isSelected) readSelectedOrganization();
  return isSelected;
}

/** Clears the selection, so that the next user starts without one. */
export function forgetSelectedOrganization(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage, nothing was stored.
  }
  isSelected = false;
  if (selected.get() !== null) selected.set(null);
}

/** Reads the stored selection, which may be that of another user by now. */
export function readSelectedOrganization(): void {
  let id: string | null;
  try {
    id = localStorage.getItem(key);
  } catch {
    id = personal;
  }
  isSelected = id !== null;
  if ((id || null) !== selected.get()) selected.set(id || null);
}

export function useOrganizationId(): string | null {
  return useSyncExternalStore(selected.subscribe, selected.get);
}
