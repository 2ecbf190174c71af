const key = 'atelier_user_id';

/**
 * Id of the user whose selections and uploads this tab and the browser keep after a session. Read only once: another
 * tab may sign in as another user.
 */
let lastUserId = stored();

/** Tells whether what is kept may be that of another user. */
export function isAnotherUser(userId: string): boolean {
  return userId !== lastUserId;
}

/** Records the user of a session whose start this browser has not seen. */
export function learnUser(userId: string): void {
  if (lastUserId === null) rememberUser(userId);
}

export function rememberUser(userId: string): void {
  lastUserId = userId;
  try {
    localStorage.setItem(key, userId);
  } catch {
    // Without storage, nothing outlives the page.
  }
}

/** Forgets the user, of whom nothing is kept any more. */
export function forgetUser(): void {
  lastUserId = null;
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage, nothing was stored.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
