import { useLayoutEffect, useRef, type FocusEventHandler, type RefObject } from 'react';
import { focusRow } from '../../ui/use-shortcuts.ts';

/**
 * Moves the focus to the next row when the row that had it leaves the list, so that one key after the other clears an
 * inbox.
 *
 * @returns the handler of `onFocus` of the list
 */
export function useKeptRow(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
): FocusEventHandler {
  const last = useRef<string>(undefined);
  const previous = useRef(ids);
  useLayoutEffect(() => {
    const { current: before } = previous;
    previous.current = ids;
    const { current: id } = last;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (id === undefined || ids.includes(id) || !isLost) return;
    last.current = undefined;
    const index = Math.min(before.indexOf(id), ids.length - 1);
    focusRow(list.current?.querySelectorAll('[data-row]')[Math.max(0, index)]);
  }, [ids, list]);
  return ({ target }) => {
    last.current = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
  };
}
