/** Key of what a user opened from the search, in local storage. */
export const recentKey = 'atelier_recent';

/** Deletes what was opened, so that the next user doesn't see it. */
export function forgetRecent(): void {
  try {
    localStorage.removeItem(recentKey);
  } catch {
    // Without storage, nothing was stored.
  }
}
