import type { Member, Role } from '@atelier/client';
import { roles } from './search.ts';

/** Tells whether a role may change and remove members with another role; the API enforces it. */
export function mayManage(own: Role, member: Role): boolean {
  if (own === 'OWNER') return true;
  return own === 'ADMIN' && member !== 'OWNER';
}

/** Tells whether a member is a service account, by the domain that only their addresses have. */
export function isServiceAccount({ user }: Member): boolean {
  return user.email.endsWith('@service.invalid');
}

/** Lists the roles that a role may grant. */
export function grantableRoles(own: Role): readonly Role[] {
  return own === 'OWNER' ? roles : roles.filter((role) => role !== 'OWNER');
}
