import { roles, type Role } from '@atelier/contract';
import { reachOf } from '../../kernel/permissions.ts';

/**
 * The roles that somebody may offer: their own and weaker ones, if they may invite at all.
 *
 * @param role - null for anybody who is no active member
 */
export function rolesGrantedBy(role: Role | null): readonly Role[] {
  if (role === null || reachOf(role, 'invitation:manage') === 'none') return [];
  return roles.slice(roles.indexOf(role));
}
