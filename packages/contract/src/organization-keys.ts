import { z } from 'zod/v4';
import { pathMemberAccess } from './access.ts';
import { apiKeyFields, apiKeyExample } from './api-key-fields.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { pageOf, pageQuery } from './pagination.ts';
import { derived, Email, Id } from './primitives.ts';
import { target } from './targets.ts';

const { id, name, prefix, lastFour, scopes, toolMode, createdAt, expiresAt, lastUsedAt, status } =
  apiKeyFields;

export const MemberApiKey = z
  .object({
    id,
    name,
    prefix,
    lastFour,
    scopes,
    toolMode,
    owner: z.object({ id: Id, displayName: z.string(), email: Email }),
    createdAt,
    expiresAt,
    lastUsedAt,
    status,
    isRefused: z
      .boolean()
      .meta({ description: 'Whether the key policy of the organization refuses it.', ...derived }),
  })
  .meta({
    id: 'MemberApiKey',
    description: 'A personal key as the organization sees it that it reaches.',
    examples: [
      {
        id: apiKeyExample.id,
        name: apiKeyExample.name,
        prefix: apiKeyExample.prefix,
        lastFour: apiKeyExample.lastFour,
        scopes: apiKeyExample.scopes,
        toolMode: apiKeyExample.toolMode,
        owner: {
          id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
          displayName: 'Ada Lovelace',
          email: 'ada@example.com',
        },
        createdAt: apiKeyExample.createdAt,
        expiresAt: apiKeyExample.expiresAt,
        lastUsedAt: apiKeyExample.lastUsedAt,
        status: apiKeyExample.status,
        isRefused: false,
      },
    ],
  });
export type MemberApiKey = z.infer<typeof MemberApiKey>;

export const MemberApiKeyPage = pageOf(MemberApiKey, 'MemberApiKeyPage');

const personalKeys = z
  .enum(['ALLOWED', 'REFUSED'])
  .describe('Whether personal keys of members reach the organization.');
const maxLifetimeDays = z
  .int()
  .min(1)
  .max(365)
  .nullable()
  .describe('No key that is older works here, and none is made for longer. Null: no limit.');

export const KeyPolicy = z.object({ personalKeys, maxLifetimeDays }).meta({
  id: 'KeyPolicy',
  description: 'Which API keys an organization accepts.',
  examples: [{ personalKeys: 'ALLOWED', maxLifetimeDays: 90 }],
});
export type KeyPolicy = z.infer<typeof KeyPolicy>;

export const UpdateKeyPolicyBody = KeyPolicy.partial().meta({
  id: 'UpdateKeyPolicyBody',
  description: 'The fields to change; absent fields keep their value.',
  examples: [{ maxLifetimeDays: 90 }],
});

const access = pathMemberAccess('service-account:manage');
const organizationPath = z.object({ id: Id });
const targets = { 'params.id': target('organization', 'service-account:manage') };

/** What an organization does about the API keys that reach it, part of the group of API keys. */
export const organizationKeyOperations = {
  listOfOrganization: endpoint({
    method: 'GET',
    path: '/api/organizations/:id/api-keys',
    summary: 'List the personal API keys that reach an organization',
    description: 'Those of its members that have not ended, newest first.',
    isAddition: true,
    access,
    pathParams: organizationPath,
    query: z.object(pageQuery),
    list: { order: ['-createdAt'] },
    targets,
    success: ok('API keys retrieved', MemberApiKeyPage),
  }),
  exclude: endpoint({
    method: 'DELETE',
    path: '/api/organizations/:id/api-keys/:keyId',
    summary: 'Exclude a personal API key from an organization',
    description: 'It keeps working in its other organizations. Its owner gets a mail.',
    isAddition: true,
    access,
    effect: 'remove',
    ifMatch: true,
    pathParams: z.object({ id: Id, keyId: Id }),
    targets: { ...targets, 'params.keyId': target('api_key', 'service-account:manage') },
    success: ok('API key excluded', Deleted),
    activity: 'api_key.exclude',
  }),
  policy: endpoint({
    method: 'GET',
    path: '/api/organizations/:id/key-policy',
    summary: 'Get the key policy of an organization',
    isAddition: true,
    access: pathMemberAccess('organization:read'),
    etag: true,
    pathParams: organizationPath,
    targets: { 'params.id': target('organization', 'organization:read') },
    success: ok('Key policy retrieved', KeyPolicy),
  }),
  updatePolicy: endpoint({
    method: 'PATCH',
    path: '/api/organizations/:id/key-policy',
    summary: 'Change the key policy of an organization',
    description: 'Counts for existing keys too, at their next request.',
    isAddition: true,
    access,
    effect: 'change',
    ifMatch: true,
    pathParams: organizationPath,
    body: UpdateKeyPolicyBody,
    targets,
    success: ok('Key policy updated', KeyPolicy),
    errors: ['personal_organization'],
    activity: 'organization.update',
  }),
};
