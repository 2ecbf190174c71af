import { useState } from 'react';

const storageKey = (boardId: string) => `atelier_collapsed_${boardId}`;

interface Collapsed {
  readonly has: (column: string) => boolean;
  readonly toggle: (column: string) => void;
  readonly expand: (column: string) => void;
}

/** Remembers in this browser which columns of a board are collapsed. */
export function useCollapsed(boardId: string): Collapsed {
  const [columns, setColumns] = useState(() => read(boardId));

  function set(next: ReadonlySet<string>): void {
    setColumns(next);
    try {
      if (next.size === 0) localStorage.removeItem(storageKey(boardId));
      else localStorage.setItem(storageKey(boardId), JSON.stringify([...next]));
    } catch {
      // Without storage, it lasts until the page is closed.
    }
  }

  const without = (column: string) => new Set([...columns].filter((one) => one !== column));
  return {
    has: (column) => columns.has(column),
    toggle: (column) => set(columns.has(column) ? without(column) : new Set([...columns, column])),
    expand(column) {
      if (columns.has(column)) set(without(column));
    },
  };
}

function read(boardId: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(boardId)) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []);
  } catch {
    return new Set();
  }
}
