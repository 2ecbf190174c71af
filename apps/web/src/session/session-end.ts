/** Why somebody has to log in (again). */
export type SessionEnd = 'expired' | 'elsewhere' | 'own';

let reason: SessionEnd = 'elsewhere';

/** The service refused to go on with the session. */
export function onSessionExpired(): void {
  reason = 'expired';
}

/** The person is about to log out here. */
export function expectOwnEnd(): void {
  reason = 'own';
}

/** Whether the session ends now: what is asked from here on is refused. */
export function isOwnEndExpected(): boolean {
  return reason === 'own';
}

/** Why the session has just ended; asked once. Without a word it was another tab. */
export function takeSessionEnd(): SessionEnd {
  const taken = reason;
  reason = 'elsewhere';
  return taken;
}
