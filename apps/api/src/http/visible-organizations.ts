import type { OperationId } from '@atelier/contract';
import type { Visibility } from '../db/scopes.ts';
import type {
  AdministratorContext,
  MemberContext,
  PublicContext,
  UserContext,
  VisitorContext,
} from '../kernel/context.ts';

/**
 * Names of member operations that access rows of other organizations. Give a reason for each entry: inside the
 * organization, only tests find a missing condition.
 */
const acrossOrganizations: ReadonlySet<string> = new Set<OperationId>([
  // From the personal organization to a team.
  'assets.publish',
  // The limit is per user.
  'uploads.initiate',
]);

/** Returns the organizations whose rows an operation needs to see: its own, if it has one. */
export function visibleOrganizations(
  operation: string,
  ctx: PublicContext | UserContext | MemberContext | AdministratorContext | VisitorContext,
): Visibility {
  if ('share' in ctx) return [ctx.share.organizationId];
  if ('organizationId' in ctx) {
    return ctx.organizationId === null ? 'everywhere' : [ctx.organizationId];
  }
  if (!('organization' in ctx) || acrossOrganizations.has(operation)) return 'everywhere';
  return [ctx.organization.id];
}
