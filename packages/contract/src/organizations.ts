import { z } from 'zod/v4';
import { pathMemberAccess, userAccess } from './access.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { invitationOperations } from './invitations.ts';
import { filter } from './lists.ts';
import { memberOperations, RoleName } from './members.ts';
import { pageOf, pageQuery, searchText, sortQuery } from './pagination.ts';
import { PlanCode } from './plans.ts';
import { Id, text, Timestamp, verbatimText } from './primitives.ts';
import { target } from './targets.ts';

export const OrganizationType = z.enum(['PERSONAL', 'TEAM']).meta({
  id: 'OrganizationType',
  description: 'PERSONAL always belongs to one account; TEAM has members.',
  examples: ['TEAM'],
});

export const PublicLinks = z.enum(['OFF_FOR_NEW', 'ON_FOR_NEW', 'FORBIDDEN']).meta({
  id: 'PublicLinks',
  description:
    'Whether new assets start with a public link. FORBIDDEN: none can be switched on, and existing ones respond 404.',
  examples: ['OFF_FOR_NEW'],
});
export type PublicLinks = z.infer<typeof PublicLinks>;

export const MailContent = z.enum(['FULL', 'TITLES', 'NONE']).meta({
  id: 'MailContent',
  description:
    'What mails about notifications disclose: comments and titles, titles, or neither of them.',
  examples: ['TITLES'],
});
export type MailContent = z.infer<typeof MailContent>;

export const Organization = z
  .object({
    id: Id,
    name: z.string(),
    slug: z.string().describe('Name for URLs; unique.'),
    type: OrganizationType,
    ownerId: Id.describe('User who created it.'),
    planCode: PlanCode,
    memberCount: z.int().min(1),
    myRole: RoleName.describe('Role of the caller.'),
    publicLinks: PublicLinks.describe('ON_FOR_NEW in a PERSONAL organization.'),
    mailContent: MailContent,
    secondFactorRequiredFrom: Timestamp.nullable().describe(
      'From when on members without a second factor are refused; null if they are not.',
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Organization',
    description: 'The owner of collections, assets and projects.',
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
        mailContent: 'TITLES',
        secondFactorRequiredFrom: null,
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Organization = z.infer<typeof Organization>;

export const OrganizationPage = pageOf(Organization, 'OrganizationPage');

export const OrganizationNameBody = z.object({ name: text({ max: 80 }) }).meta({
  id: 'OrganizationNameBody',
  description: 'The name of an organization, 1 to 80 characters.',
  examples: [{ name: 'Analytical Engines' }],
});

export const UpdateOrganizationBody = z
  .object({
    name: text({ max: 80 }).optional(),
    publicLinks: PublicLinks.optional(),
    mailContent: MailContent.optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Expected a field to change',
    path: ['name'],
  })
  .meta({
    id: 'UpdateOrganizationBody',
    description: 'The fields to change, at least one; absent fields keep their value.',
    examples: [{ name: 'Analytical Engines' }],
  });

/** How long members have to add a second factor, in days. */
export const secondFactorGraceDays = 14;

export const SecurityPolicyBody = z.object({ requireSecondFactor: z.boolean() }).meta({
  id: 'SecurityPolicyBody',
  description: 'Whether members need a second factor.',
  examples: [{ requireSecondFactor: true }],
});

const organizationPath = z.object({ id: Id });

export const organizations = {
  list: endpoint({
    method: 'GET',
    path: '/api/organizations',
    summary: 'List organizations the caller belongs to',
    access: userAccess,
    keys: 'account:read',
    query: z.object({
      ...pageQuery,
      type: OrganizationType.optional(),
      q: searchText,
      sort: sortQuery(['name', '-name', 'createdAt', '-createdAt']),
    }),
    list: { filters: { q: filter('contains', 'name') } },
    success: ok('Organizations retrieved', OrganizationPage),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/organizations',
    summary: 'Create an organization',
    description: 'A TEAM organization with the caller as its owner.',
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    idempotent: true,
    body: OrganizationNameBody,
    success: created('Organization created', Organization),
    errors: ['plan_limit_reached'],
    activity: 'organization.create',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/organizations/:id',
    summary: 'Get an organization',
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
    description:
      'Also sets whether new assets of a TEAM organization start with a public link, and what its mails disclose.',
    access: pathMemberAccess('organization:rename'),
    effect: 'change',
    ifMatch: true,
    pathParams: organizationPath,
    body: UpdateOrganizationBody,
    targets: { 'params.id': target('organization', 'organization:rename') },
    success: ok('Organization updated', Organization),
    errors: ['personal_organization'],
    activity: ['organization.rename', 'organization.update'],
  }),
  updateSecurityPolicy: endpoint({
    method: 'PATCH',
    path: '/api/organizations/:id/security-policy',
    summary: 'Decide whether members need a second factor',
    description:
      'Members without one get a mail, and are refused in 14 days, in this organization only; so are their API keys. The owner who asks for it needs a second factor too. Service accounts need none.',
    isAddition: true,
    access: pathMemberAccess('organization:secure'),
    confirmation: true,
    effect: 'change',
    ifMatch: true,
    pathParams: organizationPath,
    body: SecurityPolicyBody,
    targets: { 'params.id': target('organization', 'organization:secure') },
    success: ok('Security policy updated', Organization),
    errors: ['personal_organization'],
    activity: 'organization.change_security_policy',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/organizations/:id',
    summary: 'Delete a TEAM organization',
    description:
      'Its owner confirms with the exact name. Members lose access immediately; assets move to the bin.',
    isAddition: true,
    access: pathMemberAccess('organization:delete'),
    confirmation: true,
    effect: 'remove',
    ifMatch: true,
    pathParams: organizationPath,
    query: z.object({
      confirmName: verbatimText({ max: 80 }).describe('The name of the organization, to confirm.'),
    }),
    targets: { 'params.id': target('organization', 'organization:delete') },
    success: ok('Organization deleted', Deleted),
    errors: ['confirmation_mismatch', 'personal_organization'],
    activity: 'organization.delete',
  }),
  ...memberOperations,
  ...invitationOperations,
};
