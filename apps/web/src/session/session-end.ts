/** Why somebody has to log in (again). */
export type SessionEnd = 'expired' | 'elsewhere' | 'own';

let reason: SessionEnd = 'elsewhere';
let hasLeft = false;

/** The service refused to go on with the session. */
export function onSessionExpired(): void {
  reason = 'expired';
}

/** The person is about to log out here. */
export function expectOwnEnd(): void {
  reason = 'own';
  hasLeft = true;
}

/** Somebody has logged in. */
export function onSessionBegun(): void {
  hasLeft = false;
}

/** Whether the person logs out, or has: what is asked before the next login is refused. */
export function isLoggingOut(): boolean {
  return hasLeft;
}

/** Why the session has just ended; asked once. Without a word it was another tab. */
export function takeSessionEnd(): SessionEnd {
  const taken = reason;
  reason = 'elsewhere';
  return taken;
}
