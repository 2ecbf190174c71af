import { z } from 'zod/v4';
import { pathMemberAccess } from './access.ts';
import { ApiKeyPage, keyLifetime, NewApiKey, RotateApiKeyBody, scopeChoice } from './api-keys.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { pageOf, pageQuery } from './pagination.ts';
import { derived, Id, text, Timestamp } from './primitives.ts';
import { target } from './targets.ts';

/** Maximum number of service accounts of an organization. */
export const maxServiceAccounts = 25;
/** Maximum number of usable keys of a service account. */
export const maxServiceAccountKeys = 10;

/** What the address of every service account ends with. Nothing is ever sent there (RFC 2606). */
export const serviceAddressSuffix = '@service.invalid';

export const ServiceAccountRole = z.enum(['ADMIN', 'MEMBER', 'VIEWER']).meta({
  id: 'ServiceAccountRole',
  description: 'The role of a service account. It never owns an organization.',
  examples: ['MEMBER'],
});

const name = text({ max: 80 });

export const ServiceAccount = z
  .object({
    id: Id.describe('Id of its user, as in assignees and activities.'),
    name: z.string(),
    role: ServiceAccountRole,
    createdBy: z
      .object({ id: Id, displayName: z.string() })
      .nullable()
      .describe('Null: the account of its maker was deleted.'),
    keyCount: z
      .int()
      .min(0)
      .meta({ description: 'Keys that work.', ...derived }),
    lastUsedAt: Timestamp.nullable().meta({
      description: 'When one of its keys was last used. Up to a minute old.',
      ...derived,
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'ServiceAccount',
    description: 'An account of a program. It signs in with its keys only, and outlives its maker.',
    examples: [
      {
        id: '019aa4fc-3c4d-7e5f-a061-b2c3d4e5f6a7',
        name: 'Build server',
        role: 'MEMBER',
        createdBy: { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', displayName: 'Ada Lovelace' },
        keyCount: 1,
        lastUsedAt: '2026-11-21T11:15:00.000Z',
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type ServiceAccount = z.infer<typeof ServiceAccount>;

export const ServiceAccountPage = pageOf(ServiceAccount, 'ServiceAccountPage');

export const CreateServiceAccountBody = z
  .object({ name, role: ServiceAccountRole.default('MEMBER') })
  .meta({
    id: 'CreateServiceAccountBody',
    description: 'A new service account.',
    examples: [{ name: 'Build server', role: 'MEMBER' }],
  });

export const UpdateServiceAccountBody = z
  .object({ name: name.optional(), role: ServiceAccountRole.optional() })
  .meta({
    id: 'UpdateServiceAccountBody',
    description: 'The fields to change; absent fields keep their value.',
    examples: [{ role: 'VIEWER' }],
  });

export const CreateServiceKeyBody = scopeChoice({ name, expiresInDays: keyLifetime }).meta({
  id: 'CreateServiceKeyBody',
  description: 'A new key of a service account: what it may do, and for how long.',
  examples: [{ name: 'Nightly build', scopes: ['asset:create', 'asset:read'], expiresInDays: 90 }],
});

const access = pathMemberAccess('service-account:manage');
const organizationPath = z.object({ id: Id });
const accountPath = z.object({ id: Id, accountId: Id });
const keyPath = z.object({ id: Id, accountId: Id, keyId: Id });
const inOrganization = { 'params.id': target('organization', 'service-account:manage') };
const onAccount = {
  ...inOrganization,
  'params.accountId': target('service_account', 'service-account:manage'),
};
const onKey = { ...onAccount, 'params.keyId': target('api_key', 'service-account:manage') };

export const serviceAccounts = {
  list: endpoint({
    method: 'GET',
    path: '/api/organizations/:id/service-accounts',
    summary: 'List service accounts',
    description: 'Newest first. An organization has at most 25.',
    isAddition: true,
    access,
    pathParams: organizationPath,
    query: z.object(pageQuery),
    // Ids ascend with time.
    list: { order: ['-id'] },
    targets: inOrganization,
    success: ok('Service accounts retrieved', ServiceAccountPage),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/organizations/:id/service-accounts',
    summary: 'Create a service account',
    description:
      'It is listed among the members, by an address that ends with `@service.invalid`, and can be assigned. It does not count towards `memberCount` and the plan.',
    isAddition: true,
    access,
    effect: 'change',
    idempotent: true,
    pathParams: organizationPath,
    body: CreateServiceAccountBody,
    targets: inOrganization,
    success: created('Service account created', ServiceAccount),
    errors: ['personal_organization', 'too_many_service_accounts'],
    activity: 'service_account.create',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/organizations/:id/service-accounts/:accountId',
    summary: 'Change a service account',
    description: 'A new role counts for its keys at their next request.',
    isAddition: true,
    access,
    effect: 'change',
    ifMatch: true,
    pathParams: accountPath,
    body: UpdateServiceAccountBody,
    targets: onAccount,
    success: ok('Service account updated', ServiceAccount),
    activity: 'service_account.update',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/organizations/:id/service-accounts/:accountId',
    summary: 'Delete a service account',
    description: 'Ends its keys. What it made stays, and keeps naming it.',
    isAddition: true,
    access,
    effect: 'remove',
    ifMatch: true,
    pathParams: accountPath,
    targets: onAccount,
    success: ok('Service account deleted', Deleted),
    activity: 'service_account.delete',
  }),
  listKeys: endpoint({
    method: 'GET',
    path: '/api/organizations/:id/service-accounts/:accountId/keys',
    summary: 'List the API keys of a service account',
    description: 'Newest first; those that ended too.',
    isAddition: true,
    access,
    pathParams: accountPath,
    query: z.object(pageQuery),
    list: { order: ['-createdAt'] },
    targets: onAccount,
    success: ok('API keys retrieved', ApiKeyPage),
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/api/organizations/:id/service-accounts/:accountId/keys',
    summary: 'Create an API key of a service account',
    description:
      'It acts as the account, within its scopes and never beyond the current role. The response is the only one that has the key; an `Idempotency-Key` repeats it for an hour.',
    isAddition: true,
    access,
    effect: 'change',
    confirmation: true,
    idempotent: true,
    secretResponse: true,
    pathParams: accountPath,
    body: CreateServiceKeyBody,
    targets: onAccount,
    success: created('API key created', NewApiKey),
    errors: ['too_many_api_keys'],
    activity: 'api_key.create',
  }),
  rotateKey: endpoint({
    method: 'POST',
    path: '/api/organizations/:id/service-accounts/:accountId/keys/:keyId/rotate',
    summary: 'Replace an API key of a service account',
    description:
      'The new key has the same name and scopes, and the same lifetime as far as the key policy allows. The old one ends at once, or after `overlapHours`.',
    isAddition: true,
    access,
    effect: 'change',
    confirmation: true,
    idempotent: true,
    secretResponse: true,
    pathParams: keyPath,
    body: RotateApiKeyBody,
    targets: onKey,
    success: created('API key replaced', NewApiKey),
    errors: ['api_key_ended', 'too_many_api_keys'],
    activity: 'api_key.rotate',
  }),
  revokeKey: endpoint({
    method: 'DELETE',
    path: '/api/organizations/:id/service-accounts/:accountId/keys/:keyId',
    summary: 'Revoke an API key of a service account',
    description: 'Ends its requests and live streams.',
    isAddition: true,
    access,
    effect: 'remove',
    ifMatch: true,
    pathParams: keyPath,
    targets: onKey,
    success: ok('API key revoked', Deleted),
    activity: 'api_key.revoke',
  }),
};
