import { createStore } from '../ui/store.ts';

/** Whether the command palette is open. */
export const palette = createStore(false);

export function openPalette(): void {
  palette.set(true);
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Label of the shortcut on the user's platform. */
export const paletteKeys = isApple ? '⌘K' : 'Ctrl K';

/** Tells whether a key event is the shortcut. */
export function isPaletteShortcut({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (isApple ? metaKey : ctrlKey) && !altKey;
}
