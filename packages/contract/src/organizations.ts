import { z } from 'zod';
import { pathMemberAccess, publicAccess, roles, userAccess } from './access.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { pageOf, pageQuery, searchText, sortQuery } from './pagination.ts';
import { PlanCode } from './plans.ts';
import { Email, Id, presigned, text, Timestamp, verbatimText } from './primitives.ts';
import { target } from './targets.ts';

/** How long an invitation can be accepted, in seconds. */
export const invitationLifetimeSeconds = 7 * 24 * 60 * 60;

export const RoleName = z.enum(roles).meta({
  id: 'Role',
  description: 'What a member may do, from the strongest role to the weakest.',
  examples: ['MEMBER'],
});

export const OrganizationType = z.enum(['PERSONAL', 'TEAM']).meta({
  id: 'OrganizationType',
  description: 'PERSONAL belongs to one account for ever; TEAM takes members.',
  examples: ['TEAM'],
});

export const PublicLinks = z.enum(['OFF_FOR_NEW', 'ON_FOR_NEW', 'FORBIDDEN']).meta({
  id: 'PublicLinks',
  description:
    'Whether new assets start with a public link. FORBIDDEN: none does, none can be switched on, and those there are answer 404.',
  examples: ['OFF_FOR_NEW'],
});
export type PublicLinks = z.infer<typeof PublicLinks>;

export const Organization = z
  .object({
    id: Id,
    name: z.string(),
    slug: z.string().describe('The name for addresses; unique.'),
    type: OrganizationType,
    ownerId: Id.describe('User who created it.'),
    planCode: PlanCode,
    memberCount: z.int().min(1),
    myRole: RoleName.describe('Role of the caller.'),
    publicLinks: PublicLinks.describe('ON_FOR_NEW in a PERSONAL organization.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Organization',
    description: 'Who owns collections, assets and projects together.',
    examples: [
      {
        id: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
        name: 'Analytical Engines',
        slug: 'analytical-engines',
        type: 'TEAM',
        ownerId: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        planCode: 'FREE',
        memberCount: 3,
        myRole: 'OWNER',
        publicLinks: 'OFF_FOR_NEW',
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Organization = z.infer<typeof Organization>;

export const OrganizationPage = pageOf(Organization, 'OrganizationPage');

export const Person = z
  .object({
    id: Id.describe('Id of the user.'),
    displayName: z.string(),
    email: Email,
    avatarUrl: z
      .string()
      .nullable()
      .meta(presigned('Presigned address of the picture; valid for an hour.')),
  })
  .meta({
    id: 'Person',
    description: 'An account as the other members see it.',
    examples: [
      {
        id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        displayName: 'Ada Lovelace',
        email: 'ada@example.com',
        avatarUrl: null,
      },
    ],
  });
export type Person = z.infer<typeof Person>;

export const MemberStatus = z.enum(['ACTIVE', 'SUSPENDED']).meta({
  id: 'MemberStatus',
  description: 'A suspended member has no access until reinstated.',
  examples: ['ACTIVE'],
});

export const Member = z
  .object({
    id: Id.describe('Id of the membership.'),
    userId: Id,
    user: Person,
    role: RoleName,
    status: MemberStatus,
    joinedAt: Timestamp,
  })
  .meta({
    id: 'Member',
    description: 'A membership: who belongs to the organization, and as what.',
    examples: [
      {
        id: '019aa4f0-6d2f-7a10-9b21-3c4d5e6f7a80',
        userId: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        user: {
          id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
          displayName: 'Ada Lovelace',
          email: 'ada@example.com',
          avatarUrl: null,
        },
        role: 'OWNER',
        status: 'ACTIVE',
        joinedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Member = z.infer<typeof Member>;

export const MemberPage = pageOf(Member, 'MemberPage');

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
    description: 'An offer of a membership, mailed to one address, good for seven days.',
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
  email: z.string().describe('Masked: whoever holds the link need not be its addressee.'),
}).meta({
  id: 'InvitationPreview',
  description: 'An invitation as anybody with its link sees it.',
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

export const OrganizationNameBody = z.object({ name: text({ max: 80 }) }).meta({
  id: 'OrganizationNameBody',
  description: 'The name of an organization, 1 to 80 characters.',
  examples: [{ name: 'Analytical Engines' }],
});

export const UpdateOrganizationBody = z
  .object({ name: text({ max: 80 }).optional(), publicLinks: PublicLinks.optional() })
  .refine(({ name, publicLinks }) => name !== undefined || publicLinks !== undefined, {
    error: 'Name a field to change',
    path: ['name'],
  })
  .meta({
    id: 'UpdateOrganizationBody',
    description: 'What to change, at least one field; an absent one stays as it is.',
    examples: [{ name: 'Analytical Engines' }],
  });

export const InviteBody = z
  .object({
    email: Email,
    role: RoleName.default('MEMBER').describe('At most your own role. Default MEMBER.'),
  })
  .meta({
    id: 'InviteBody',
    description: 'Whom to invite, and as what.',
    examples: [{ email: 'grace@example.com', role: 'MEMBER' }],
  });

export const UpdateMemberBody = z
  .object({ role: RoleName.optional(), status: MemberStatus.optional() })
  .meta({
    id: 'UpdateMemberBody',
    description: 'What to change; an absent field stays as it is.',
    examples: [{ role: 'ADMIN' }],
  });

const organizationPath = z.object({ id: Id });
const memberPath = z.object({ id: Id, memberId: Id });
const invitationPath = z.object({ token: verbatimText({ max: 1024 }) });

export const organizations = {
  list: endpoint({
    method: 'GET',
    path: '/api/organizations',
    summary: 'List organizations the caller belongs to',
    access: userAccess,
    query: z.object({
      ...pageQuery,
      type: OrganizationType.optional(),
      q: searchText,
      sort: sortQuery(['name', '-name', 'createdAt', '-createdAt']),
    }),
    success: ok('Organizations retrieved', OrganizationPage),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/organizations',
    summary: 'Create an organization',
    description: 'A TEAM organization with the caller as its owner.',
    access: userAccess,
    idempotent: true,
    body: OrganizationNameBody,
    success: created('Organization created', Organization),
    errors: ['plan_limit_reached'],
    activity: 'organization.create',
  }),
  getInvitation: endpoint({
    method: 'GET',
    path: '/api/organizations/invitations/:token',
    summary: 'Retrieve an invitation by token',
    description: 'Needs no login; the email is masked.',
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
  get: endpoint({
    method: 'GET',
    path: '/api/organizations/:id',
    summary: 'Retrieve an organization',
    access: pathMemberAccess('organization:read'),
    etag: true,
    pathParams: organizationPath,
    targets: { 'params.id': target('organization', 'organization:read') },
    success: ok('Organization retrieved', Organization),
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/organizations/:id',
    summary: 'Rename an organization',
    description: 'Also says whether new assets of a TEAM organization start with a public link.',
    access: pathMemberAccess('organization:rename'),
    ifMatch: true,
    pathParams: organizationPath,
    body: UpdateOrganizationBody,
    targets: { 'params.id': target('organization', 'organization:rename') },
    success: ok('Organization updated', Organization),
    errors: ['personal_organization'],
    activity: ['organization.rename', 'organization.update'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/organizations/:id',
    summary: 'Delete a TEAM organization',
    description:
      'Its owner confirms by the exact name. Members lose access at once; assets go into the bin.',
    access: pathMemberAccess('organization:delete'),
    ifMatch: true,
    pathParams: organizationPath,
    query: z.object({
      confirmName: verbatimText({ max: 80 }).describe('The name of the organization, typed again.'),
    }),
    targets: { 'params.id': target('organization', 'organization:delete') },
    success: ok('Organization deleted', Deleted),
    errors: ['confirmation_mismatch', 'personal_organization'],
    activity: 'organization.delete',
  }),
  listMembers: endpoint({
    method: 'GET',
    path: '/api/organizations/:id/members',
    summary: 'List members',
    access: pathMemberAccess('member:read'),
    pathParams: organizationPath,
    query: z.object({
      ...pageQuery,
      role: RoleName.optional(),
      status: MemberStatus.optional(),
      q: searchText,
      sort: sortQuery(['joinedAt', '-joinedAt', 'name', '-name']),
    }),
    targets: { 'params.id': target('organization', 'member:read') },
    success: ok('Members retrieved', MemberPage),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/organizations/:id/invitations',
    summary: 'Invite a member',
    description:
      'Mails a link that is good for seven days. Inviting the same address again renews the invitation and replaces the link; within ten minutes of the last mail, that mail and its link stay good instead. A mailbox gets five of these mails an hour, whoever invites it.',
    access: pathMemberAccess('invitation:manage'),
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
    access: pathMemberAccess('invitation:manage'),
    pathParams: organizationPath,
    query: z.object({ ...pageQuery, status: InvitationStatus.optional(), q: searchText }),
    targets: { 'params.id': target('organization', 'invitation:manage') },
    success: ok('Invitations retrieved', InvitationPage),
  }),
  revokeInvitation: endpoint({
    method: 'DELETE',
    path: '/api/organizations/:id/invitations/:invitationId',
    summary: 'Revoke an invitation',
    description: 'Its link is void at once. Revoking it again changes nothing.',
    access: pathMemberAccess('invitation:manage'),
    pathParams: z.object({ id: Id, invitationId: Id }),
    targets: {
      'params.id': target('organization', 'invitation:manage'),
      'params.invitationId': target('invitation', 'invitation:manage'),
    },
    success: ok('Invitation revoked', Deleted),
    errors: ['invitation_gone'],
    activity: 'invitation.revoke',
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/organizations/:id/members/:memberId',
    summary: 'Remove a member',
    description:
      'Removing yourself is leaving. Only an owner removes an owner. Open invitations of the member are revoked, and uploads under way aborted.',
    access: pathMemberAccess('member:remove'),
    ifMatch: true,
    pathParams: memberPath,
    targets: {
      'params.id': target('organization', 'member:remove'),
      'params.memberId': target('member', 'member:remove'),
    },
    success: ok('Member removed', Deleted),
    errors: ['last_owner', 'personal_organization'],
    activity: 'member.remove',
  }),
  updateMember: endpoint({
    method: 'PATCH',
    path: '/api/organizations/:id/members/:memberId',
    summary: "Update a member's role or status",
    description:
      'Only an owner grants or takes the role of an owner. Open invitations of the member that offer more than the member may still grant are revoked.',
    access: pathMemberAccess('member:manage'),
    ifMatch: true,
    pathParams: memberPath,
    body: UpdateMemberBody,
    targets: {
      'params.id': target('organization', 'member:manage'),
      'params.memberId': target('member', 'member:manage'),
    },
    success: ok('Member updated', Member),
    errors: ['last_owner', 'personal_organization'],
    activity: 'member.update',
  }),
};
