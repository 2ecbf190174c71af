import { useEffect, useState } from 'react';
import type * as drag from './drag.ts';

export type DragAndDrop = typeof drag;

/** Drag and drop, once its script is there; nobody waits for it, since the keyboard does the same. */
export function useDragAndDrop(isEnabled: boolean): DragAndDrop | undefined {
  const [loaded, setLoaded] = useState<DragAndDrop>();
  useEffect(() => {
    if (!isEnabled) return undefined;
    let isGone = false;
    void import('./drag.ts').then((module) => {
      if (!isGone) setLoaded(module);
    });
    return () => {
      isGone = true;
    };
  }, [isEnabled]);
  return isEnabled ? loaded : undefined;
}
