import type { Deps } from '../../../deps.ts';
import type { Handlers } from '../../../http/feature.ts';
import { invitationUseCases } from './usecases.ts';

type InvitationHandlers = Pick<
  Handlers<'organizations'>,
  'invite' | 'listInvitations' | 'revokeInvitation' | 'getInvitation' | 'acceptInvitation'
>;

/** Handlers of the operations on invitations, for an organization's administrators and for invited people. */
export function invitationHandlers(deps: Deps): InvitationHandlers {
  const invitations = invitationUseCases(deps);

  return {
    invite: ({ body, ctx }) => invitations.invite(body, ctx),
    listInvitations: ({ query, ctx }) => invitations.list(query, ctx),
    revokeInvitation: ({ params, ctx }) => invitations.revoke(params.invitationId, ctx),
    getInvitation: ({ params }) => invitations.preview(params.token),
    acceptInvitation: ({ params, ctx }) => invitations.accept(params.token, ctx),
  };
}
