import { permissionMatrix, type Permission, type Reach, type Role } from '@atelier/contract';
import { Failure } from './errors.ts';

/** How far a role's permission reaches. */
export function reachOf(role: Role, permission: Permission): Reach {
  return permissionMatrix[permission][role];
}

/**
 * Checks a permission on one record.
 *
 * @throws Failure `permission_denied` (403) when the role may only touch its own and this is another's
 */
export function assertMayTouch(
  member: { readonly role: Role; readonly userId: string },
  permission: Permission,
  record: { readonly createdBy: string },
): void {
  const reach = reachOf(member.role, permission);
  if (reach === 'any') return;
  if (reach === 'own' && record.createdBy === member.userId) return;
  throw new Failure('permission_denied');
}
