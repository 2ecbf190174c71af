/** Why the session has ended: it expired, another tab signed out, or this one. */
export type SessionEndReason = 'expired' | 'elsewhere' | 'own';

/** In local storage, as the tokens are: a tab that sees them gone sees this, too. */
const key = 'atelier_signed_out';

let isOwn = false;

/** Records that this tab signs out: a session that ends from now on was not ended by others. */
export function markSigningOut(): void {
  isOwn = true;
}

/** Tells other tabs that the tokens that are removed next were not those of an expired session. */
export function tellSignOut(): void {
  try {
    localStorage.setItem(key, 'yes');
  } catch {
    // Without storage, other tabs have no session of this one.
  }
}

/** Records that a session has started. */
export function forgetSignOut(): void {
  isOwn = false;
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage, nothing was stored.
  }
}

/** Returns the reason, and forgets that this tab has signed out. */
export function takeSessionEndReason(): SessionEndReason {
  const wasOwn = isOwn;
  isOwn = false;
  if (wasOwn) return 'own';
  return hasSignedOut() ? 'elsewhere' : 'expired';
}

function hasSignedOut(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
