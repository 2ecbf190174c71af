import { isSwitchedOff } from './single-keys.ts';

/** Tells whether a key is meant for the page, and not for what has the focus or for a menu or dialog. */
export function isForPage(event: KeyboardEvent, within: HTMLElement | null = null): boolean {
  const { target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (isSwitchedOff(event)) return false;
  if (!(target instanceof Element)) return true;
  if (
    target.closest('input, textarea, select, video, audio, pre, [role="menu"], [role="tablist"]')
  ) {
    return false;
  }
  const dialog = document.querySelector('dialog[open]');
  return dialog === null || dialog === within;
}
