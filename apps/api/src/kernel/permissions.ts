import {
  permissionMatrix,
  roles,
  type Permission,
  type Reach,
  type Role,
  type Scope,
  type TargetField,
} from '@atelier/contract';
import type { Credential, MemberContext } from './context.ts';
import { Failure } from './errors.ts';

/** Returns which records a role's permission reaches. */
export function reachOf(role: Role, permission: Permission): Reach {
  return permissionMatrix[permission][role];
}

/** Returns the roles whose permission reaches exactly these records. */
export function rolesThatReach(permission: Permission, reach: Reach): Role[] {
  return roles.filter((role) => reachOf(role, permission) === reach);
}

/** The role that a request acts with: an API key never has what only owners may do. */
export function roleOf(credential: Credential, role: Role): Role {
  return credential.kind === 'key' && role === 'OWNER' ? 'ADMIN' : role;
}

/** The error for an API key, with the challenge of RFC 6750. */
export function scopeMissing(scope: Scope): Failure {
  return new Failure('scope_missing', {
    message: `The API key lacks the scope ${scope}`,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

/**
 * Checks that an API key has the scope for what an operation does to a record of another kind than its own. What it only
 * reads is part of the operation.
 *
 * @throws Failure `scope_missing` (403)
 */
function assertScopeFor({ credential }: MemberContext, permission: Permission): void {
  if (credential.kind !== 'key' || permission.endsWith(':read')) return;
  // Keys are refused where the permission is no scope.
  if (!credential.scopes.includes(permission as Scope)) throw scopeMissing(permission as Scope);
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
  ctx: MemberContext,
  field: TargetField,
  record: { readonly createdBy: string },
): void {
  const { role, user, targets } = ctx;
  assertScopeFor(ctx, targets.permissionOn(field));
  assertReaches({ role, userId: user.id }, targets.permissionOn(field), record);
  targets.note(field);
}

/**
 * Like {@link assertMayTouch}, for records where the author doesn't matter: the role must reach all of them.
 * Ids that are missing in the request are skipped.
 *
 * @throws Failure `permission_denied` (403)
 */
export function assertMayUse(ctx: MemberContext, ...fields: readonly TargetField[]): void {
  const { role, targets } = ctx;
  for (const field of fields) {
    if (!targets.isNamed(field)) continue;
    assertScopeFor(ctx, targets.permissionOn(field));
    if (reachOf(role, targets.permissionOn(field)) !== 'any') {
      throw new Failure('permission_denied');
    }
    targets.note(field);
  }
}
