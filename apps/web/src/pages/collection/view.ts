import { useSyncExternalStore } from 'react';
import { createStore } from '../../ui/store.ts';

const key = 'atelier_assets_view';

export type View = 'grid' | 'table';

const view = createStore<View>(stored());

/** Returns the view of assets that was last chosen in this browser. */
export function useView(): View {
  return useSyncExternalStore(view.subscribe, view.get);
}

export function chooseView(next: View): void {
  try {
    localStorage.setItem(key, next);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  view.set(next);
}

function stored(): View {
  try {
    return localStorage.getItem(key) === 'table' ? 'table' : 'grid';
  } catch {
    return 'grid';
  }
}
