import { useSyncExternalStore } from 'react';
import { createStore } from '../ui/store.ts';

const key = 'svc_organization_id';
const personal = '';

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
    localStorage.setItem(key, id ?? personal);
  } catch {
    // Storage is full or forbidden: it lasts until the page ends.
  }
  if (id !== choice.get()) choice.set(id);
}

/** Whether somebody has chosen in this browser, be it the personal one. */
export function hasChosenOrganization(): boolean {
  try {
    return choice.get() !== null || localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

/** Who comes next has chosen nothing. */
export function forgetOrganizationChoice(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then nothing was kept.
  }
  if (choice.get() !== null) choice.set(null);
}

export function useOrganizationId(): string | null {
  return useSyncExternalStore(choice.subscribe, choice.get);
}

function kept(): string | null {
  try {
    return localStorage.getItem(key) || null;
  } catch {
    return null;
  }
}
