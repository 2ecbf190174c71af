import { permissionMatrix, type Access, type Permission } from './access.ts';
import type { ResourceType } from './activity.ts';

/** Permissions that no API key has, whatever the role of its account. */
const permissionsOfSessions = [
  'organization:delete',
  'organization:secure',
  'member:grant-owner',
  'service-account:manage',
  'approval:decide',
] as const;

export type PermissionOfSessions = (typeof permissionsOfSessions)[number];

/** Scopes for what needs no membership: the account behind the key, and the activities of a team. */
const scopesBesidePermissions = ['account:read', 'timeline:read'] as const;

/** What an API key may be allowed to do: a permission, or one of the two that are none. */
export type Scope =
  | Exclude<Permission, PermissionOfSessions>
  | (typeof scopesBesidePermissions)[number];

/** Every scope, in the order of the permission matrix. */
// Object.keys widens the keys that Scope is made of.
export const scopes = [
  ...scopesBesidePermissions,
  ...Object.keys(permissionMatrix).filter(isScope),
] as unknown as readonly [Scope, ...Scope[]];

function isScope(permission: string): boolean {
  return !(permissionsOfSessions as readonly string[]).includes(permission);
}

/** The scopes that an API key needs to change a record with `permission` and to learn its name. */
export function scopesToName(resourceType: ResourceType, permission: Permission): Scope[] {
  const reading = `${resourceType.replaceAll('_', '-')}:read`;
  return scopes.filter((scope) => scope === permission || scope === reading);
}

/**
 * What an API key needs for an operation: a scope, or nothing (`any`). An operation refuses every key (`refused`), or
 * needs no credential at all (null).
 */
export type KeyUse = Scope | 'any' | 'refused' | null;

/**
 * What an operation does, for those who decide whether a program may: it changes nothing (`read`), changes or adds
 * (`change`), takes something away (`remove`), or shows data to outsiders (`disclose`).
 */
export type Effect = 'read' | 'change' | 'remove' | 'disclose';

/**
 * Requires `keys` where access doesn't tell it, and `effect` where the method doesn't: without one, the operation does
 * not compile.
 */
export type DeclaresCredentials<Spec> = (Spec extends {
  readonly access: { readonly kind: 'user' | 'administrator' };
}
  ? { readonly keys: KeyUse }
  : unknown) &
  (Spec extends { readonly method: 'GET' } ? unknown : { readonly effect: Effect });

/** The use of keys that follows from the access of an operation. */
export function keyUseOf(access: Access): KeyUse {
  switch (access.kind) {
    case 'public':
    case 'share':
      return null;
    case 'member':
      // Every permission is a scope, or one that no key has.
      return isScope(access.permission) ? (access.permission as Scope) : 'refused';
    case 'user':
    case 'administrator':
      throw new Error('an operation for accounts or administrators declares `keys`');
  }
}
