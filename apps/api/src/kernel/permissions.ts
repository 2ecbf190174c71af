import {
  permissionMatrix,
  type Permission,
  type Reach,
  type Role,
  type TargetField,
} from '@atelier/contract';
import type { MemberContext } from './context.ts';
import { Failure } from './errors.ts';

/** The scope of a role's permission. */
export function reachOf(role: Role, permission: Permission): Reach {
  return permissionMatrix[permission][role];
}

/**
 * Checks a permission on one record.
 *
 * @throws Failure `permission_denied` (403) when the role is limited to its own records and this belongs to another user
 */
export function assertReaches(
  member: { readonly role: Role; readonly userId: string },
  permission: Permission,
  record: { readonly createdBy: string },
): void {
  const reach = reachOf(member.role, permission);
  if (reach === 'any') return;
  if (reach === 'own' && record.createdBy === member.userId) return;
  throw new Failure('permission_denied');
}

/**
 * Checks the permission that the contract declares for an id of the request, on its record.
 *
 * @param record - as read in the transaction, in the selected organization
 * @throws Failure `permission_denied` (403) when the role is limited to its own records and this belongs to another user
 */
export function assertMayTouch(
  { role, user, targets }: MemberContext,
  field: TargetField,
  record: { readonly createdBy: string },
): void {
  assertReaches({ role, userId: user.id }, targets.permissionOn(field), record);
  targets.note(field);
}

/**
 * Like {@link assertMayTouch}, for records where the author doesn't matter: the role must reach all of them.
 * Ids that are missing in the request are skipped.
 *
 * @throws Failure `permission_denied` (403)
 */
export function assertMayUse(
  { role, targets }: MemberContext,
  ...fields: readonly TargetField[]
): void {
  for (const field of fields) {
    if (!targets.isNamed(field)) continue;
    if (reachOf(role, targets.permissionOn(field)) !== 'any') {
      throw new Failure('permission_denied');
    }
    targets.note(field);
  }
}
