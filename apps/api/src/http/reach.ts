import type { Reach } from '../db/scopes.ts';
import type {
  AdministratorContext,
  MemberContext,
  PublicContext,
  UserContext,
} from '../kernel/context.ts';

/**
 * Names of member operations that access rows of other organizations. Give a reason for each entry: inside the
 * organization, only tests find a missing condition.
 */
const widened: ReadonlyMap<string, 'everywhere' | 'and-personal'> = new Map([
  // From the personal organization to a team.
  ['assets.publish', 'and-personal'],
  // The limit is per user, across all organizations.
  ['uploads.initiate', 'everywhere'],
] as const);

/** Returns the organizations whose rows an operation needs to see: its own, if it has one. */
export function reachOf(
  operation: string,
  ctx: PublicContext | UserContext | MemberContext | AdministratorContext,
): Reach {
  if ('organizationId' in ctx) {
    return ctx.organizationId === null ? 'everywhere' : [ctx.organizationId];
  }
  if (!('organization' in ctx)) return 'everywhere';
  const own = [ctx.organization.id];
  const more = widened.get(operation);
  if (more === 'everywhere') return more;
  return more === 'and-personal' ? [...own, ctx.user.personalOrganizationId] : own;
}
