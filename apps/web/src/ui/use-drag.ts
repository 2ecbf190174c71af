import { useEffect, useState } from 'react';
import type * as drag from './drag.ts';

export type DragAndDrop = typeof drag;

/** Loads drag and drop in the background; the keyboard and menus do the same. */
export function useDragAndDrop(isEnabled: boolean): DragAndDrop | undefined {
  const [loaded, setLoaded] = useState<DragAndDrop>();
  useEffect(() => {
    if (!isEnabled) return undefined;
    let isUnmounted = false;
    void import('./drag.ts').then((module) => {
      if (!isUnmounted) setLoaded(module);
    });
    return () => {
      isUnmounted = true;
    };
  }, [isEnabled]);
  return isEnabled ? loaded : undefined;
}
