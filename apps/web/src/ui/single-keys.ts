import { createStore } from './store.ts';

const storageKey = 'atelier_single_keys';

/** Whether letters, digits and signs work as shortcuts without Ctrl or ⌘. */
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

/** Tells whether a key is one of those that the user has switched off. */
export function isSwitchedOff({ key }: Pick<KeyboardEvent, 'key'>): boolean {
  // Other keys have names, such as `ArrowLeft`.
  return key.length === 1 && !singleKeys.get();
}

function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(storageKey) === null;
  } catch {
    return true;
  }
}
