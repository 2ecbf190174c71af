import { z } from 'zod/v4';
import { pathMemberAccess, publicAccess, userAccess } from './access.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { filter } from './lists.ts';
import { RoleName } from './members.ts';
import { pageOf, pageQuery, searchText } from './pagination.ts';
import { Email, Id, Timestamp, verbatimText } from './primitives.ts';
import { target } from './targets.ts';

/** How long an invitation can be accepted, in seconds. */
export const invitationLifetimeSeconds = 7 * 24 * 60 * 60;

export const InvitationStatus = z.enum(['PENDING', 'ACCEPTED', 'EXPIRED', 'REVOKED']).meta({
  id: 'InvitationStatus',
  description: 'Only a PENDING invitation can be accepted.',
  examples: ['PENDING'],
});

export const Invitation = z
  .object({
    id: Id,
    email: Email,
    role: RoleName,
    status: InvitationStatus,
    expiresAt: Timestamp,
    invitedBy: z.object({ id: Id, displayName: z.string() }),
    organization: z.object({ id: Id, name: z.string() }),
  })
  .meta({
    id: 'Invitation',
    description: 'An offer of a membership, emailed to one address and valid for seven days.',
    examples: [
      {
        id: '019aa4f4-3d5e-7f60-a172-8d9e0f1a2b3c',
        email: 'grace@example.com',
        role: 'MEMBER',
        status: 'PENDING',
        expiresAt: '2026-11-28T09:30:00.000Z',
        invitedBy: { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', displayName: 'Ada Lovelace' },
        organization: { id: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11', name: 'Analytical Engines' },
      },
    ],
  });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationPage = pageOf(Invitation, 'InvitationPage');

export const InvitationPreview = Invitation.extend({
  email: z.string().describe('Masked, because the link may have been forwarded.'),
}).meta({
  id: 'InvitationPreview',
  description: 'An invitation for anyone with its link.',
  examples: [
    {
      id: '019aa4f4-3d5e-7f60-a172-8d9e0f1a2b3c',
      email: 'g****@example.com',
      role: 'MEMBER',
      status: 'PENDING',
      expiresAt: '2026-11-28T09:30:00.000Z',
      invitedBy: { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', displayName: 'Ada Lovelace' },
      organization: { id: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11', name: 'Analytical Engines' },
    },
  ],
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;

export const InviteBody = z
  .object({
    email: Email,
    role: RoleName.default('MEMBER').describe('At most your own role. Default MEMBER.'),
  })
  .meta({
    id: 'InviteBody',
    description: 'The email to invite and the role.',
    examples: [{ email: 'grace@example.com', role: 'MEMBER' }],
  });

const organizationPath = z.object({ id: Id });
const invitationPath = z.object({ token: verbatimText({ max: 1024 }) });

/** The operations on invitations, part of the group of organizations. */
export const invitationOperations = {
  getInvitation: endpoint({
    method: 'GET',
    path: '/api/organizations/invitations/:token',
    summary: 'Get an invitation by its token',
    description: 'Needs no sign-in. The email is masked.',
    access: publicAccess,
    pathParams: invitationPath,
    success: ok('Invitation retrieved', InvitationPreview),
    errors: ['not_found', 'invitation_gone'],
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/organizations/invitations/:token/accept',
    summary: 'Accept an invitation',
    description: 'The email of the account must be the invited one.',
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    idempotent: true,
    pathParams: invitationPath,
    success: ok('Invitation accepted', Invitation),
    errors: [
      'not_found',
      'invitation_gone',
      'invitation_email_mismatch',
      'already_member',
      'plan_limit_reached',
    ],
    activity: 'member.join',
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/organizations/:id/invitations',
    summary: 'Invite a member',
    description:
      'Emails a link that is valid for seven days. Inviting the same address again renews the invitation and replaces the link; within ten minutes of the last email, its link stays valid and no email is sent. An address gets at most five of these emails an hour, from all inviters together.',
    access: pathMemberAccess('invitation:manage'),
    confirmation: 'for-ownership',
    effect: 'disclose',
    rateLimit: 'invite',
    idempotent: true,
    pathParams: organizationPath,
    body: InviteBody,
    targets: { 'params.id': target('organization', 'invitation:manage') },
    success: created('Invitation sent', Invitation),
    errors: ['personal_organization', 'already_member', 'plan_limit_reached'],
    activity: 'invitation.create',
  }),
  listInvitations: endpoint({
    method: 'GET',
    path: '/api/organizations/:id/invitations',
    summary: 'List invitations',
    description: 'Newest first.',
    isAddition: true,
    access: pathMemberAccess('invitation:manage'),
    pathParams: organizationPath,
    query: z.object({ ...pageQuery, status: InvitationStatus.optional(), q: searchText }),
    // Ids ascend with time.
    list: { filters: { q: filter('contains', 'email') }, order: ['-id'] },
    targets: { 'params.id': target('organization', 'invitation:manage') },
    success: ok('Invitations retrieved', InvitationPage),
  }),
  revokeInvitation: endpoint({
    method: 'DELETE',
    path: '/api/organizations/:id/invitations/:invitationId',
    summary: 'Revoke an invitation',
    description: 'Its link stops working immediately. No-op when repeated.',
    isAddition: true,
    access: pathMemberAccess('invitation:manage'),
    effect: 'remove',
    pathParams: z.object({ id: Id, invitationId: Id }),
    targets: {
      'params.id': target('organization', 'invitation:manage'),
      'params.invitationId': target('invitation', 'invitation:manage'),
    },
    success: ok('Invitation revoked', Deleted),
    errors: ['invitation_gone'],
    activity: 'invitation.revoke',
  }),
};
