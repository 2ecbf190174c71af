import { createStore } from '../ui/store.ts';

/** Whether the command palette is open. */
export const palette = createStore(false);

export function openPalette(): void {
  palette.set(true);
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys that open it, as they are printed on the reader's keyboard. */
export const paletteKeys = isApple ? '⌘K' : 'Ctrl K';

/** Whether these are those keys. */
export function isPaletteShortcut({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (isApple ? metaKey : ctrlKey) && !altKey;
}
