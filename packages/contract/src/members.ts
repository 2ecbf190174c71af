import { z } from 'zod/v4';
import { pathMemberAccess, roles } from './access.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { filter } from './lists.ts';
import { pageOf, pageQuery, searchText, sortQuery } from './pagination.ts';
import { Email, Id, presigned, Timestamp } from './primitives.ts';
import { target } from './targets.ts';

export const RoleName = z.enum(roles).meta({
  id: 'Role',
  description: 'The role of a member, from the strongest to the weakest.',
  examples: ['MEMBER'],
});

export const Person = z
  .object({
    id: Id.describe('Id of the user.'),
    displayName: z.string(),
    email: Email,
    avatarUrl: z
      .string()
      .nullable()
      .meta(presigned('Presigned URL of the picture, valid for an hour.')),
  })
  .meta({
    id: 'Person',
    description: 'A user as other members see them.',
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
    description: 'A membership: a user of the organization and their role.',
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

export const UpdateMemberBody = z
  .object({ role: RoleName.optional(), status: MemberStatus.optional() })
  .meta({
    id: 'UpdateMemberBody',
    description: 'The fields to change; absent fields keep their value.',
    examples: [{ role: 'ADMIN' }],
  });

const organizationPath = z.object({ id: Id });
const memberPath = z.object({ id: Id, memberId: Id });

/** The operations on members, part of the group of organizations. */
export const memberOperations = {
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
    list: {
      filters: { q: filter('contains', 'user.displayName', 'user.email') },
      sorts: { name: ['user.displayName'] },
    },
    targets: { 'params.id': target('organization', 'member:read') },
    success: ok('Members retrieved', MemberPage),
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/organizations/:id/members/:memberId',
    summary: 'Remove a member',
    description:
      'Remove yourself to leave. Only an owner can remove an owner. Revokes the open invitations of the member and aborts their uploads. Service accounts have operations of their own; here they are refused with `permission_denied`.',
    access: pathMemberAccess('member:remove'),
    confirmation: 'for-ownership',
    effect: 'remove',
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
      'Only an owner can grant or revoke the role of an owner. Revokes open invitations of the member to roles that they may no longer grant. Service accounts have operations of their own; here they are refused with `permission_denied`.',
    access: pathMemberAccess('member:manage'),
    confirmation: 'for-ownership',
    effect: 'change',
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
