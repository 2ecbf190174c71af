/**
 * Keeps the place of whoever works by keyboard or by ear. A browser puts the focus nowhere when the
 * element that has it goes away, such as a row that was deleted by its own button; then the nearest
 * element around it that is still there gets it. To be called once.
 */
export function keepFocus(): void {
  /** What had the focus last, and everything around it, from the inside out. */
  let path: readonly HTMLElement[] = [];
  document.addEventListener('focusin', ({ target }) => {
    path = target instanceof HTMLElement ? [target, ...around(target)] : [];
  });
  const look = () => {
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
    // After whatever has taken it away may have put the focus elsewhere by itself.
    setTimeout(look, patienceMs);
  }).observe(document.body, { childList: true, subtree: true });
}

const patienceMs = 50;
const focusable = 'a[href], button, input, select, textarea, [tabindex]';

function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body;
}

function around(element: HTMLElement): readonly HTMLElement[] {
  const { parentElement } = element;
  return parentElement ? [parentElement, ...around(parentElement)] : [];
}
