/** Browsers fire `beforeunload` for a link to a download, too, some of them a little later. */
const downloadStartMs = 1000;

let downloadStartedAt = -Infinity;

/**
 * Has the browser ask before the page is left or reloaded.
 *
 * @returns a cleanup function
 */
export function warnOfUnload(): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    if (performance.now() - downloadStartedAt > downloadStartMs) event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}

/** Downloads what an address of the storage responds with: an attachment, so the browser stays on the page. */
export function downloadFrom(url: string): void {
  downloadStartedAt = performance.now();
  const link = document.createElement('a');
  link.href = url;
  link.rel = 'noreferrer';
  link.click();
}
