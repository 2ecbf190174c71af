import { useSyncExternalStore } from 'react';
import { createStore } from '../../ui/store.ts';

const key = 'atelier_assets_view';

export type View = 'grid' | 'table';

const view = createStore<View>(kept());

/** How assets are shown, as it was chosen last in this browser. */
export function useView(): View {
  return useSyncExternalStore(view.subscribe, view.get);
}

export function chooseView(next: View): void {
  try {
    localStorage.setItem(key, next);
  } catch {
    // Then it lasts until the page ends.
  }
  view.set(next);
}

function kept(): View {
  try {
    return localStorage.getItem(key) === 'table' ? 'table' : 'grid';
  } catch {
    return 'grid';
  }
}
