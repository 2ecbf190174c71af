import type { Role } from '@atelier/contract';
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

/** What a member is after a change, and what of it is new. */
export function standingAfter(current: Standing, wanted: WantedStanding) {
  const standing = {
    role: wanted.role ?? current.role,
    status: wanted.status ?? current.status,
  };
  const changes = (['role', 'status'] as const)
    .filter((field) => standing[field] !== current[field])
    .map((field) => ({ field, from: current[field], to: standing[field] }));
  return { standing, changes };
}

/**
 * Checks that somebody may give or take these roles: ownership is in the hands of owners alone.
 *
 * @param roles - those a member has, or is to have
 * @throws Failure `permission_denied` (403)
 */
export function assertMayHandle(actor: Role, roles: readonly (Role | undefined)[]): void {
  if (!roles.includes('OWNER')) return;
  if (reachOf(actor, 'member:grant-owner') === 'none') throw new Failure('permission_denied');
}

/** Whether this is one of those without whom nobody could lead the organization. */
export function leads({ role, status }: Standing): boolean {
  return role === 'OWNER' && status === 'ACTIVE';
}
