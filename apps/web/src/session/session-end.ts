/** Why the session has ended: it expired, another tab signed out, or this one. */
export type SessionEndReason = 'expired' | 'elsewhere' | 'own';

let reason: SessionEndReason = 'elsewhere';

/** Records that the API has rejected the session. */
export function onSessionExpired(): void {
  reason = 'expired';
}

/** Records that the user signs out in this tab. */
export function markSigningOut(): void {
  reason = 'own';
}

/** Returns and resets the reason; if none was recorded, another tab has ended the session. */
export function takeSessionEndReason(): SessionEndReason {
  const taken = reason;
  reason = 'elsewhere';
  return taken;
}
