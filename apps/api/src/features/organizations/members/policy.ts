import type { Role } from '@atelier/contract';
import { changesBetween } from '../../../kernel/changes.ts';
import { Failure } from '../../../kernel/errors.ts';
import { reachOf } from '../../../kernel/permissions.ts';

export interface Standing {
  readonly role: Role;
  readonly status: 'ACTIVE' | 'SUSPENDED';
}

export interface WantedStanding {
  readonly role?: Role | undefined;
  readonly status?: 'ACTIVE' | 'SUSPENDED' | undefined;
}

/** A member after a change, and the changed fields. */
export function standingAfter(current: Standing, wanted: WantedStanding) {
  const standing = {
    role: wanted.role ?? current.role,
    status: wanted.status ?? current.status,
  };
  return { standing, changes: changesBetween(current, standing) };
}

/**
 * Checks that the caller may grant or revoke these roles: only owners decide about ownership.
 *
 * @param roles - a member's current or new roles
 * @throws Failure `permission_denied` (403)
 */
export function assertMayHandle(actor: Role, roles: readonly (Role | undefined)[]): void {
  if (!roles.includes('OWNER')) return;
  if (reachOf(actor, 'member:grant-owner') === 'none') throw new Failure('permission_denied');
}

/** Whether this member is an active owner: the organization needs one. */
export function leads({ role, status }: Standing): boolean {
  return role === 'OWNER' && status === 'ACTIVE';
}
