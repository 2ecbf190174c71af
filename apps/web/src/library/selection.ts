import { useEffect, useState } from 'react';
import { between } from './range.ts';

/** Which items of a list are chosen. */
export interface Selection {
  readonly count: number;
  readonly has: (id: string) => boolean;
  /** Chooses one or gives it up; `isRange`: along with everything since the one before. */
  readonly toggle: (id: string, options: { readonly isRange: boolean }) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

/** Chooses items of the list that is shown; Escape gives them up. */
export function useSelection(shownIds: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [lastId, setLastId] = useState<string>();
  const count = shownIds.filter((id) => chosen.has(id)).length;
  const isAny = count > 0;

  useEffect(() => {
    if (!isAny) return undefined;
    function onKeyDown(event: KeyboardEvent): void {
      // Menus and dialogs use the key up themselves.
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest('dialog, [role="menu"], input[type="text"], select');
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) setChosen(new Set());
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isAny]);

  return {
    count,
    has: (id) => chosen.has(id),
    toggle(id, { isRange }) {
      const next = new Set(chosen);
      const isChosen = !chosen.has(id);
      for (const one of isRange ? between(shownIds, lastId, id) : [id]) {
        if (isChosen) next.add(one);
        else next.delete(one);
      }
      setChosen(next);
      setLastId(id);
    },
    selectAll: () => setChosen(new Set(shownIds)),
    clear: () => setChosen(new Set()),
  };
}
