import { roles, type Role } from '@atelier/contract';
import type { Executor, Transaction } from '../../db/executor.ts';
import {
  apiKeyOf,
  type CallerContext,
  type MemberAccess,
  type MemberContext,
  type PublicContext,
} from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { CallerChanged, type KnownCaller } from '../../kernel/known-caller.ts';
import { reachOf, roleOf } from '../../kernel/permissions.ts';
import {
  findActiveRole,
  isUsable,
  proveCredential,
  proveKnownMember,
  proveMembership,
  type AuthorityValues,
} from './queries.ts';

/** The authentication of a request: anonymous, by a credential, or as a member. */
type AnyContext = PublicContext | CallerContext | MemberContext;

/**
 * Proves credential, account and membership of a request within the transaction of its change, and keeps
 * them valid until it ends.
 *
 * @returns the role as it is now; null for a request that isn't a member's
 * @throws Failure `unauthenticated` (401), `organization_access_denied` or `permission_denied` (403),
 *   `not_found` (404) where the path names the organization
 */
export async function proveAuthority(
  tx: Transaction,
  ctx: AnyContext,
  now: Date,
): Promise<Role | null> {
  if (!('user' in ctx)) return null;
  const credential = { credentialId: ctx.credential.id, userId: ctx.user.id, now };
  if (!('access' in ctx)) {
    if (!(await proveCredential(tx, credential))) throw new Failure('unauthenticated');
    return null;
  }
  if (ctx.known) return proveKnown(tx, ctx, { known: ctx.known, now });
  const organizationId = ctx.organization.id;
  const held = await proveMembership(tx, { ...credential, organizationId });
  if (held === null) return refuse(tx, ctx, now);
  const role = roleOf(ctx.credential, held);
  if (reachOf(role, ctx.access.permission) === 'none') throw new Failure('permission_denied');
  return role;
}

/** @throws CallerChanged unless the caller is what they were, and has the same role */
async function proveKnown(
  tx: Transaction,
  { credential, user, organization, role }: MemberContext,
  { known, now }: { known: KnownCaller; now: Date },
): Promise<Role> {
  const held = await proveKnownMember(tx, {
    credentialId: credential.id,
    userId: user.id,
    organizationId: organization.id,
    versions: known.versions,
    now,
  });
  if (held === null || roleOf(credential, held) !== role) throw new CallerChanged();
  known.prove();
  return role;
}

/**
 * Explains why a statement with {@link authorityOf} did nothing, if authority was missing.
 *
 * @throws Failure as {@link proveAuthority} does
 */
export async function assertAuthority(db: Executor, ctx: MemberContext, now: Date): Promise<void> {
  const role = await findRole(db, ctx, now);
  if (reachOf(role, ctx.access.permission) === 'none') throw new Failure('permission_denied');
}

/** The values for a function of the database that proves the authority, and does nothing without. */
export function authorityOf(ctx: MemberContext, now: Date): AuthorityValues {
  return {
    credentialId: ctx.credential.id,
    apiKeyId: apiKeyOf(ctx),
    userId: ctx.user.id,
    organizationId: ctx.organization.id,
    roles: roles.filter((role) => reachOf(role, ctx.access.permission) !== 'none'),
    versions: ctx.known?.versions ?? null,
    now,
  };
}

async function refuse(tx: Transaction, ctx: MemberContext, now: Date): Promise<never> {
  await findRole(tx, ctx, now);
  // Ended while this transaction waited for it, and restored: the next request is a member's again.
  throw noMember(ctx.access);
}

/** The error for outsiders. For a path it reveals only that nothing is found. */
export function noMember({ organizationFrom }: MemberAccess): Failure {
  return new Failure(organizationFrom === 'path' ? 'not_found' : 'organization_access_denied');
}

async function findRole(db: Executor, ctx: MemberContext, now: Date): Promise<Role> {
  const { credential, user, organization } = ctx;
  const [isOpen, role] = await Promise.all([
    isUsable(db, { credentialId: credential.id, userId: user.id, now }),
    findActiveRole(db, { organizationId: organization.id, userId: user.id }),
  ]);
  if (!isOpen) throw new Failure('unauthenticated');
  if (role === null) throw noMember(ctx.access);
  return role;
}
