import type { Permission } from '@atelier/contract';

/**
 * Every security event, and when it happens. Each has its own log line and is counted.
 *
 * @see docs/decisions/0064-security-events.md
 */
export const securityEvents = {
  token_replay: 'A refresh token that was revoked before was presented.',
  login_failed:
    'A sign-in was refused: by password, by code, by passkey, by second factor, or on the way back from a provider.',
  grant_refused: 'A request to give or take rights was refused.',
  access_refused: 'Any other request was refused for lack of a right.',
  rate_limited: 'A request was one too many.',
  sessions_ended: 'Sessions were ended: by sign-out, by choice, by a new password, or by a replay.',
} as const satisfies Readonly<Record<string, string>>;

export type SecurityEvent = keyof typeof securityEvents;

export const securityEventNames = Object.keys(securityEvents) as readonly SecurityEvent[];

/** The subject of a security event, in addition to its request. */
export interface SecurityEventDetails {
  /** Email of the account, whether or not the account exists; the log has a keyed hash of it. */
  readonly account: string | null;
  /** The response to the client, if it is not a failure of the request. */
  readonly code?: string;
}

/** Records a security event of a request. Call it only after the commit of the change. */
export type NoteSecurityEvent = (event: SecurityEvent, details: SecurityEventDetails) => void;

/** Permissions that grant or revoke rights. */
export const grantingPermissions: ReadonlySet<Permission> = new Set([
  'member:manage',
  'member:remove',
  'invitation:manage',
]);
