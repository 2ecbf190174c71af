import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { invitationHandlers } from './invitations/handlers.ts';
import { memberUseCases } from './members/usecases.ts';
import { organizationUseCases } from './usecases.ts';

export function organizationsFeature(deps: Deps) {
  const organizations = organizationUseCases(deps);
  const members = memberUseCases(deps);

  // The path's id is the organization of the context.
  return feature('organizations', {
    list: ({ query, ctx }) => organizations.list(query, ctx),
    create: ({ body, ctx }) => organizations.create(body.name, ctx),
    get: ({ ctx }) => organizations.get(ctx),
    rename: ({ body, ctx }) => organizations.update(body, ctx),
    updateSecurityPolicy: ({ body, ctx }) =>
      organizations.updateSecurityPolicy(body.requireSecondFactor, ctx),
    remove: ({ query, ctx }) => organizations.remove(query.confirmName, ctx),
    listMembers: ({ query, ctx }) => members.list(query, ctx),
    updateMember: ({ params, body, ctx }) => members.update(params.memberId, body, ctx),
    removeMember: ({ params, ctx }) => members.remove(params.memberId, ctx),
    ...invitationHandlers(deps),
  });
}
