/** Roles of a membership, from the strongest to the weakest. */
export const roles = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const;
export type Role = (typeof roles)[number];

/** What a role may do with a record: any of the organization's, only its own, or none. */
export type Reach = 'any' | 'own' | 'none';

const everyone = { OWNER: 'any', ADMIN: 'any', MEMBER: 'any', VIEWER: 'any' } as const;
const contributors = { OWNER: 'any', ADMIN: 'any', MEMBER: 'any', VIEWER: 'none' } as const;
const contributorsOwn = { OWNER: 'any', ADMIN: 'any', MEMBER: 'own', VIEWER: 'none' } as const;
const administrators = { OWNER: 'any', ADMIN: 'any', MEMBER: 'none', VIEWER: 'none' } as const;
const owners = { OWNER: 'any', ADMIN: 'none', MEMBER: 'none', VIEWER: 'none' } as const;
const authors = { OWNER: 'own', ADMIN: 'own', MEMBER: 'own', VIEWER: 'none' } as const;

/** The permission matrix: what each role may do. */
export const permissionMatrix = {
  'organization:read': everyone,
  'organization:rename': administrators,
  'organization:delete': owners,
  'organization:secure': owners,
  'member:read': everyone,
  'member:manage': administrators,
  'member:remove': { OWNER: 'any', ADMIN: 'any', MEMBER: 'own', VIEWER: 'own' },
  'member:grant-owner': owners,
  'invitation:manage': administrators,
  'collection:read': everyone,
  'collection:favorite': everyone,
  'collection:create': contributors,
  'collection:edit': contributorsOwn,
  'collection:delete': contributorsOwn,
  'asset:read': everyone,
  'asset:favorite': everyone,
  'asset:create': contributors,
  'asset:publish': contributors,
  'asset:edit': contributorsOwn,
  'asset:delete': contributorsOwn,
  'asset:review': contributors,
  'upload:abort': contributorsOwn,
  'project:read': everyone,
  'project:create': contributors,
  'project:edit': contributors,
  'project:delete': contributorsOwn,
  'task:read': everyone,
  'task:create': contributors,
  'task:edit': contributors,
  'task:delete': contributors,
  'label:read': everyone,
  'label:create': contributors,
  'label:edit': contributors,
  'label:delete': contributorsOwn,
  'comment:read': everyone,
  'comment:create': contributors,
  'comment:edit': authors,
  'comment:delete': contributorsOwn,
  'asset-comment:read': everyone,
  'asset-comment:create': contributors,
  'asset-comment:edit': authors,
  'asset-comment:delete': contributorsOwn,
  'asset-comment:resolve': contributors,
  'dashboard:read': everyone,
  'search:use': everyone,
  'webhook:manage': administrators,
  'share:create': contributors,
  'share:read': contributors,
  'share:manage': contributorsOwn,
  'service-account:manage': administrators,
  'approval:decide': { OWNER: 'any', ADMIN: 'any', MEMBER: 'own', VIEWER: 'own' },
} as const satisfies Record<string, Record<Role, Reach>>;

/** A row of {@link permissionMatrix}. */
export type Permission = keyof typeof permissionMatrix;

/**
 * Who may use an operation.
 *
 * - `public`: anyone, without a token.
 * - `user`: any verified account with a bearer token.
 * - `member`: an active member of the selected organization whose role has the permission. The
 *   organization comes from the `x-organization-id` header (absent: the personal one) or from the path.
 * - `share`: a visitor with a ticket of a share; a session is not enough.
 * - `administrator`: a platform administrator, or an owner or admin of the team in the header.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'user' }
  | { readonly kind: 'share' }
  | {
      readonly kind: 'member';
      readonly permission: Permission;
      readonly organizationFrom: 'header' | 'path';
    }
  | { readonly kind: 'administrator' };

/** Anyone, without a token. */
export const publicAccess = { kind: 'public' } as const satisfies Access;

/** Any verified account. */
export const userAccess = { kind: 'user' } as const satisfies Access;

/** Visitors of a share, with a ticket. A session is not enough. */
export const shareAccess = { kind: 'share' } as const satisfies Access;

/** Platform administrators; owners and admins within their own team. */
export const administratorAccess = { kind: 'administrator' } as const satisfies Access;

/** A member with this permission in the organization that the header selects. */
export function memberAccess(permission: Permission) {
  return { kind: 'member', permission, organizationFrom: 'header' } as const satisfies Access;
}

/** A member with this permission in the organization that the path's `id` names. */
export function pathMemberAccess(permission: Permission) {
  return { kind: 'member', permission, organizationFrom: 'path' } as const satisfies Access;
}
