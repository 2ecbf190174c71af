import {
  permissionMatrix,
  type ApiKey,
  type Permission,
  type Role,
  type Scope,
} from '@atelier/contract';
import { dayMs } from '../../kernel/durations.ts';
import { invalidField } from '../../kernel/errors.ts';
import { reachOf } from '../../kernel/permissions.ts';

const hourMs = 60 * 60 * 1000;

/** How long before its end a key counts as expiring. */
const expiringMs = 7 * dayMs;

/** @param days - null: it does not expire */
export function expiryAfter(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() + days * dayMs);
}

/** What an organization accepts. */
export interface KeyPolicyRow {
  readonly personalKeys: 'ALLOWED' | 'REFUSED';
  /** Null: no limit. */
  readonly maxKeyLifetimeDays: number | null;
}

/** The shortest of the maximum lifetimes in days; null without any. */
function maxLifetimeOf(policies: readonly KeyPolicyRow[]): number | null {
  const limits = policies.flatMap(({ maxKeyLifetimeDays }) => maxKeyLifetimeDays ?? []);
  return limits.length === 0 ? null : Math.min(...limits);
}

/**
 * Checks the lifetime of a new key.
 *
 * @param days - null: it does not expire
 * @throws Failure `validation_failed` (400) if an organization that it reaches accepts it for a shorter time
 */
export function assertLifetime(days: number | null, policies: readonly KeyPolicyRow[]): void {
  const max = maxLifetimeOf(policies);
  if (max === null || (days !== null && days <= max)) return;
  throw invalidField(
    ['expiresInDays'],
    'too_big',
    `Invalid expiresInDays: the key policy allows at most ${max}`,
  );
}

/**
 * Checks the organizations of a new personal key.
 *
 * @throws Failure `validation_failed` (400) if one of them refuses it
 */
export function assertPersonalKeysAllowed(
  organizationIds: readonly string[],
  policies: readonly (KeyPolicyRow & { readonly id: string })[],
): void {
  const refusing = policies.find(({ personalKeys }) => personalKeys === 'REFUSED');
  if (!refusing) return;
  throw invalidField(
    ['organizationIds', organizationIds.indexOf(refusing.id)],
    'refused',
    'Invalid organizationIds: the organization refuses personal API keys',
  );
}

interface Life {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** The expiry of the key that replaces another: as long a life again, as far as the organizations accept it. */
export function expiryOfSuccessor(
  { createdAt, expiresAt }: Life,
  { policies, now }: { policies: readonly KeyPolicyRow[]; now: Date },
): Date | null {
  const alike = expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
  const latest = expiryAfter(maxLifetimeOf(policies), now);
  return alike === null || (latest !== null && latest < alike) ? latest : alike;
}

/** When a replaced key ends: after the overlap, but never later than without a successor. */
export function endOfOverlap({ expiresAt }: Life, overlapHours: number, now: Date): Date {
  const end = new Date(now.getTime() + overlapHours * hourMs);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}

export function statusOf(
  { expiresAt, revokedAt }: { readonly expiresAt: Date | null; readonly revokedAt: Date | null },
  now: Date,
): ApiKey['status'] {
  if (revokedAt !== null) return 'REVOKED';
  if (expiresAt === null) return 'ACTIVE';
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return 'EXPIRED';
  return leftMs <= expiringMs ? 'EXPIRING' : 'ACTIVE';
}

/** How many of the mails about its expiry a new key is too short-lived for: a week before, a day before. */
export function noticesBefore(expiresAt: Date | null, now: Date): number {
  if (expiresAt === null) return 0;
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs > 7 * dayMs) return 0;
  return leftMs > dayMs ? 1 : 2;
}

/** What a key may do in an organization: its scopes, as far as the role reaches. */
export function effectiveScopes(
  scopes: readonly Scope[],
  { type, role }: { readonly type: 'PERSONAL' | 'TEAM'; readonly role: Role },
): Scope[] {
  return scopes.filter((scope) => {
    if (scope === 'timeline:read') return type === 'TEAM' && (role === 'OWNER' || role === 'ADMIN');
    return !isPermission(scope) || reachOf(role, scope) !== 'none';
  });
}

function isPermission(scope: Scope): scope is Scope & Permission {
  return scope in permissionMatrix;
}
