/**
 * Restores the focus for keyboard and screen reader users. When the focused element is removed, such as a
 * row by its own delete button, browsers drop the focus; this moves it to the nearest remaining ancestor.
 * Call it once.
 */
export function keepFocus(): void {
  /** The last focused element and its ancestors, innermost first. */
  let path: readonly HTMLElement[] = [];
  document.addEventListener('focusin', ({ target }) => {
    path = target instanceof HTMLElement ? [target, ...ancestors(target)] : [];
  });
  const restore = () => {
    const [focused] = path;
    if (!focused || focused.isConnected || !isFocusLost()) return;
    const next = path.find((element) => element.isConnected && element !== document.body);
    path = [];
    if (!next) return;
    if (!next.matches(focusable)) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  };
  new MutationObserver(() => {
    const [focused] = path;
    if (!focused || focused.isConnected) return;
    // Delayed, since the code that removed the element may move the focus itself.
    setTimeout(restore, delayMs);
  }).observe(document.body, { childList: true, subtree: true });
}

const delayMs = 50;
const focusable = 'a[href], button, input, select, textarea, [tabindex]';

function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body;
}

function ancestors(element: HTMLElement): readonly HTMLElement[] {
  const { parentElement } = element;
  return parentElement ? [parentElement, ...ancestors(parentElement)] : [];
}
