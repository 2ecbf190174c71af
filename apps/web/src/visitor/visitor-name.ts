import { createStore } from '../ui/store.ts';

const storageKey = 'atelier_visitor_name';

/** The name that the visitor comments with, in this tab only; empty until it was given. */
export const visitorName = createStore(stored());

export function rememberVisitorName(name: string): void {
  visitorName.set(name);
  try {
    sessionStorage.setItem(storageKey, name);
  } catch {
    // Asked again after a reload.
  }
}

function stored(): string {
  try {
    return sessionStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}
