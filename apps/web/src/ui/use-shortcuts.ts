import { useEffect, useRef, type RefObject } from 'react';
import { isSwitchedOff } from './single-keys.ts';

/** Where keys have another meaning. */
export const elsewhere = 'input, select, textarea, dialog, [contenteditable="true"], [role="menu"]';

interface Shortcuts {
  /** Handles a letter for the row that has the focus, by the id of the row. */
  readonly onKey: (key: string, id: string, row: HTMLElement) => void;
  /** The next row was asked for at the last one. */
  readonly onEnd: () => void;
}

/**
 * Moves the focus between the rows of a list by J and K, and passes other letters on. Letters that change something
 * need the focus on a row, so that dictating a text changes nothing.
 *
 * @param list - its rows have `data-row`, with their id, and in each, an element has `data-row-focus`
 */
export function useShortcuts(list: RefObject<HTMLElement | null>, shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if (defaultPrevented || ctrlKey || metaKey || altKey || !list.current) return;
      if (isSwitchedOff(event)) return;
      if (target instanceof Element && target.closest(elsewhere)) return;
      const rows = [...list.current.querySelectorAll<HTMLElement>('[data-row]')];
      const row = rows.find((one) => one.contains(document.activeElement));
      const letter = key.toLowerCase();
      if (letter === 'j' || letter === 'k') {
        event.preventDefault();
        const at = row ? rows.indexOf(row) + (letter === 'j' ? 1 : -1) : 0;
        if (at >= rows.length) latest.current.onEnd();
        focusRow(rows[at]);
      } else if (row) latest.current.onKey(letter, row.dataset['row'] ?? '', row);
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [list]);
}

/** Moves the focus to the main element of a row. */
export function focusRow(row: Element | undefined): void {
  const element = row?.querySelector<HTMLElement>('[data-row-focus]');
  element?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
