import type { Role } from '@atelier/client';

/** Whether somebody with this role changes and removes a member with that one; the API decides. */
export function mayManage(own: Role, member: Role): boolean {
  if (own === 'OWNER') return true;
  return own === 'ADMIN' && member !== 'OWNER';
}

/** The roles that somebody with this one gives away. */
export function grantableRoles(own: Role): readonly Role[] {
  return own === 'OWNER' ? ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] : ['ADMIN', 'MEMBER', 'VIEWER'];
}
