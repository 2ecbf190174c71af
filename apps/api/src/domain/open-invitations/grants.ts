import { roles, type Role } from '@atelier/contract';
import { reachOf } from '../../kernel/permissions.ts';

/**
 * Returns the roles that a member may offer: their own and weaker ones, if they may invite at all.
 *
 * @param role - null unless an active member
 */
export function rolesGrantedBy(role: Role | null): readonly Role[] {
  if (role === null || reachOf(role, 'invitation:manage') === 'none') return [];
  return roles.slice(roles.indexOf(role));
}
