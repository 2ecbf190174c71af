import type { Reach } from '../db/scopes.ts';
import type {
  AdministratorContext,
  MemberContext,
  PublicContext,
  UserContext,
} from '../kernel/context.ts';

/**
 * Operations of members that look beyond the organization, by their names. Whoever adds one says why: within it a
 * forgotten condition is found by nobody but the tests.
 */
const widened: ReadonlyMap<string, 'everywhere' | 'and-personal'> = new Map([
  // From the personal organization to a team.
  ['assets.publish', 'and-personal'],
  // The limit is of a user, in all organizations together.
  ['uploads.initiate', 'everywhere'],
] as const);

/** Of which organizations an operation needs to see rows: its own, where it has one. */
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
