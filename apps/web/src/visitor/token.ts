import { shareTokenOf } from '@atelier/client/shares';

const storageKey = 'atelier_share';
/** Where the browser keeps nothing. */
let inMemory: string | null = null;

/**
 * Takes the token of a share's link out of the address bar and of the history. This tab remembers it, so that the page
 * can be reloaded, until the share has ended or the tab is closed.
 *
 * @returns null if this tab has none
 */
export function takeShareToken(): string | null {
  const taken = shareTokenOf(location.href);
  if (taken !== null) remember(taken);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  return taken ?? remembered();
}

export function forgetShareToken(): void {
  inMemory = null;
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Nothing was stored.
  }
}

function remember(token: string): void {
  inMemory = token;
  try {
    sessionStorage.setItem(storageKey, token);
  } catch {
    // Without storage, a reload needs the link again.
  }
}

function remembered(): string | null {
  try {
    return sessionStorage.getItem(storageKey) ?? inMemory;
  } catch {
    return inMemory;
  }
}
