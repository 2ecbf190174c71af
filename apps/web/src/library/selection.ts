import { useEffect, useState } from 'react';
import { between } from './range.ts';

/** The selected items of a list. */
export interface Selection {
  readonly count: number;
  readonly has: (id: string) => boolean;
  /** Selects or deselects an item; `isRange`: with everything since the last one. */
  readonly toggle: (id: string, options: { readonly isRange: boolean }) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

/** Selects items of a list; Escape clears the selection. */
export function useSelection(shownIds: readonly string[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [lastId, setLastId] = useState<string>();
  const count = shownIds.filter((id) => selected.has(id)).length;
  const hasSelection = count > 0;

  useEffect(() => {
    if (!hasSelection) return undefined;
    function onKeyDown(event: KeyboardEvent): void {
      // Menus and dialogs handle the key themselves.
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest('dialog, [role="menu"], input[type="text"], select');
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) setSelected(new Set());
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [hasSelection]);

  return {
    count,
    has: (id) => selected.has(id),
    toggle(id, { isRange }) {
      const next = new Set(selected);
      const isAdding = !selected.has(id);
      for (const one of isRange ? between(shownIds, lastId, id) : [id]) {
        if (isAdding) next.add(one);
        else next.delete(one);
      }
      setSelected(next);
      setLastId(id);
    },
    selectAll: () => setSelected(new Set(shownIds)),
    clear: () => setSelected(new Set()),
  };
}
