import type { Role } from '@atelier/contract';
import { changesBetween } from '../../../kernel/changes.ts';
import type { MemberContext } from '../../../kernel/context.ts';
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
 * Checks that the caller may grant or revoke these roles: only owners decide about ownership, and confirm who they are.
 *
 * @param roles - a member's current or new roles
 * @throws Failure `permission_denied`, `confirmation_required` (403)
 */
export function assertMayHandle(
  { role, isConfirmed }: Pick<MemberContext, 'role' | 'isConfirmed'>,
  roles: readonly (Role | undefined)[],
): void {
  if (!roles.includes('OWNER')) return;
  if (reachOf(role, 'member:grant-owner') === 'none') throw new Failure('permission_denied');
  if (!isConfirmed) throw new Failure('confirmation_required');
}

/** Whether this member is an active owner: the organization needs one. */
export function leads({ role, status }: Standing): boolean {
  return role === 'OWNER' && status === 'ACTIVE';
}
