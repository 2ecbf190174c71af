import { createStore } from '../ui/store.ts';

/** Whether the list of shortcuts is open. */
export const keysHelp = createStore(false);

const storageKey = 'atelier_single_keys';

/** Whether keys work that need no Ctrl or ⌘. */
export const singleKeys = createStore(areSingleKeysOn());

/** Switches single keys on or off in this browser. */
export function switchSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'off');
  } catch {
    // Without storage, it lasts until the page is closed.
  }
  singleKeys.set(isOn);
}

function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(storageKey) === null;
  } catch {
    return true;
  }
}
