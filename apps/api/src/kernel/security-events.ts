import type { Permission } from '@atelier/contract';

/**
 * Every security event, and when it happens. Each is a line of the log of its own, and is counted.
 *
 * @see docs/decisions/0064-security-events.md
 */
export const securityEvents = {
  token_replay: 'A refresh token that was revoked before was presented.',
  login_failed: 'A sign-in was refused: by password, by code, or on the way back from a provider.',
  grant_refused: 'A request to give or take rights was refused.',
  access_refused: 'Any other request was refused for lack of a right.',
  rate_limited: 'A request was one too many.',
  sessions_ended: 'Sessions were ended: by sign-out, by choice, by a new password, or by a replay.',
} as const satisfies Readonly<Record<string, string>>;

export type SecurityEvent = keyof typeof securityEvents;

export const securityEventNames = Object.keys(securityEvents) as readonly SecurityEvent[];

/** What a security event is about, beside the request that it happened in. */
export interface SecurityEventDetails {
  /** Email of the account, whether there is one or not; the log has a keyed hash of it. */
  readonly account: string | null;
  /** What the client was told, where that is no failure of the request. */
  readonly code?: string;
}

/** Notes a security event of a request. Only after the commit of what it tells. */
export type NoteSecurityEvent = (event: SecurityEvent, details: SecurityEventDetails) => void;

/** Permissions to give or take rights. */
export const grantingPermissions: ReadonlySet<Permission> = new Set([
  'member:manage',
  'member:remove',
  'invitation:manage',
]);
