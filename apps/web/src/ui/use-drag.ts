import { useEffect, useSyncExternalStore } from 'react';
import { loadWhenIdle } from '../loading/idle.ts';
import { script } from '../loading/script.ts';
import type * as drag from './drag.ts';

export type DragAndDrop = typeof drag;

const code = script<DragAndDrop>(() => import('./drag.ts'));

/** Loads drag and drop in the background; the keyboard and menus do the same. */
export function useDragAndDrop(isEnabled: boolean): DragAndDrop | undefined {
  const state = useSyncExternalStore(code.state.subscribe, code.state.get);
  useEffect(() => {
    if (isEnabled) loadWhenIdle(code);
  }, [isEnabled]);
  return isEnabled && state.status === 'loaded' ? state.module : undefined;
}
