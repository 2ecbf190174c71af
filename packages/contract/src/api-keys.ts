import { z } from 'zod/v4';
import { publicAccess, userAccess } from './access.ts';
import { apiKeyExample, apiKeyFields, ScopeName, ToolMode } from './api-key-fields.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { organizationKeyOperations } from './organization-keys.ts';
import { pageOf, pageQuery } from './pagination.ts';
import { Id, text, verbatimText } from './primitives.ts';
import { presetNames, scopeDescriptions } from './scope-texts.ts';
import { scopes } from './scopes.ts';
import { membershipTarget, ownTarget } from './targets.ts';

/** Maximum number of usable keys of a person. */
export const maxApiKeys = 50;

/** How an API key looks: kind, 238 random bits, and a checksum of both. */
export const apiKeyPattern = /^atl_(?:pat|svc)_[0-9A-Za-z]{46}$/;

export const ApiKey = z.object(apiKeyFields).meta({
  id: 'ApiKey',
  description: 'A key without its secret.',
  examples: [apiKeyExample],
});
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyPage = pageOf(ApiKey, 'ApiKeyPage');

export const NewApiKey = z
  .object({
    ...apiKeyFields,
    key: z.string().describe('The key itself. No other response has it: store it now.'),
  })
  .meta({
    id: 'NewApiKey',
    description: 'A key with its secret.',
    examples: [{ ...apiKeyExample, key: 'atl_pat_9fKcR2mVw7Yh3TzQp8LbN5xUe1GjD4sAo6KiWnC0rvx2Qa' }],
  });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const CurrentApiKey = z
  .object({
    ...apiKeyFields,
    organizations: z.array(
      z.object({
        id: Id,
        name: z.string(),
        effectiveScopes: z
          .array(ScopeName)
          .describe('What the key may do there: its scopes, as far as the role reaches now.'),
      }),
    ),
  })
  .meta({
    id: 'CurrentApiKey',
    description: 'The key of the request, and what it may do.',
    examples: [
      {
        ...apiKeyExample,
        organizations: [
          { ...apiKeyExample.organizations[0], effectiveScopes: ['asset:create', 'asset:read'] },
        ],
      },
    ],
  });
export type CurrentApiKey = z.infer<typeof CurrentApiKey>;

const keyName = text({ max: 80 });

/** The lifetime of a new key in days. */
export const keyLifetime = z
  .int()
  .min(1)
  .max(365)
  .nullable()
  .default(90)
  .describe(
    'Null: never. More than a key policy allows is refused with `validation_failed`, also by default.',
  );

/**
 * Returns the body of a new key, which names its scopes or a preset.
 *
 * @param fields - what the body has beside that
 */
export function scopeChoice<Fields extends z.ZodRawShape>(fields: Fields) {
  return z
    .object({
      ...fields,
      toolMode: ToolMode.default('ASK').describe('What assistants may do with it. Default `ASK`.'),
      scopes: z.array(ScopeName).min(1).max(scopes.length).optional(),
      preset: z.enum(presetNames).optional().describe('A list of scopes, as it is today.'),
    })
    .refine(hasOneChoice, {
      path: ['scopes'],
      error: 'Invalid scopes: expected either `scopes` or `preset`',
    });
}

function hasOneChoice(body: { readonly scopes?: unknown; readonly preset?: unknown }): boolean {
  return (body.scopes === undefined) !== (body.preset === undefined);
}

export const CreateApiKeyBody = scopeChoice({
  name: keyName,
  organizationIds: z
    .array(Id)
    .min(1)
    .max(20)
    .describe(
      'Your organizations that it reaches. If one refuses personal keys: `validation_failed`.',
    ),
  expiresInDays: keyLifetime,
}).meta({
  id: 'CreateApiKeyBody',
  description: 'A new key: what it may do, where, and for how long.',
  examples: [
    {
      name: 'Nightly build',
      scopes: ['asset:create', 'asset:read'],
      organizationIds: ['019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11'],
      expiresInDays: 90,
    },
  ],
});

/** What a password reset does with the keys of its account. */
export const revokeApiKeys = z
  .boolean()
  .default(false)
  .describe('Also revokes the API keys of the account, which keep working otherwise.');

export const RenameApiKeyBody = z.object({ name: keyName }).meta({
  id: 'RenameApiKeyBody',
  description: 'The new name of a key. Nothing else of a key changes.',
  examples: [{ name: 'Nightly build' }],
});

export const RotateApiKeyBody = z
  .object({
    overlapHours: z.int().min(0).max(72).default(0).describe('How long the old key still works.'),
  })
  .meta({
    id: 'RotateApiKeyBody',
    description: 'How a key is replaced.',
    examples: [{ overlapHours: 24 }],
  });

export const ScopeList = z
  .object({
    items: z.array(
      z.object({
        scope: ScopeName,
        description: z.string(),
        operations: z.array(z.string()).describe('The operations that need it.'),
      }),
    ),
  })
  .meta({
    id: 'ScopeList',
    description: 'Every scope.',
    examples: [
      {
        items: [
          {
            scope: 'label:read',
            description: scopeDescriptions['label:read'],
            operations: ['labels.list', 'labels.get'],
          },
        ],
      },
    ],
  });

export const LeakedKeyBody = z.object({ key: verbatimText({ max: 1024 }) }).meta({
  id: 'LeakedKeyBody',
  description: 'A key that was found where it should not be.',
  examples: [{ key: 'atl_pat_9fKcR2mVw7Yh3TzQp8LbN5xUe1GjD4sAo6KiWnC0rvx2Qa' }],
});

export const ReceivedReport = z.object({ received: z.literal(true) }).meta({
  id: 'ReceivedReport',
  description: 'The report was received. The response does not tell whether it was a key.',
  examples: [{ received: true }],
});

const keyPath = z.object({ id: Id });
const targets = { 'params.id': ownTarget('api_key') };

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/auth/api-keys',
    summary: "List the caller's API keys",
    description: 'Newest first; those that ended too.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    query: z.object(pageQuery),
    list: { order: ['-createdAt'] },
    success: ok('API keys retrieved', ApiKeyPage),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/auth/api-keys',
    summary: 'Create an API key',
    description:
      'It acts as the caller, within its scopes and organizations and never beyond the current role. The response is the only one that has the key; an `Idempotency-Key` repeats it for an hour.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    confirmation: true,
    idempotent: true,
    secretResponse: true,
    body: CreateApiKeyBody,
    targets: { 'body.organizationIds': membershipTarget() },
    success: created('API key created', NewApiKey),
    errors: ['not_found', 'too_many_api_keys'],
    activity: 'api_key.create',
  }),
  current: endpoint({
    method: 'GET',
    path: '/api/auth/api-keys/current',
    summary: 'Get the API key of the request',
    description: 'With a session: 404.',
    isAddition: true,
    access: userAccess,
    keys: 'any',
    success: ok('API key retrieved', CurrentApiKey),
    errors: ['not_found'],
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/auth/api-keys/:id',
    summary: 'Rename an API key',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    ifMatch: true,
    pathParams: keyPath,
    body: RenameApiKeyBody,
    targets,
    success: ok('API key renamed', ApiKey),
    errors: ['not_found'],
    activity: 'api_key.rename',
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/auth/api-keys/:id/rotate',
    summary: 'Replace an API key',
    description:
      'The new key has the same name, scopes and organizations, and the same lifetime as far as key policies allow. The old one ends at once, or after `overlapHours`.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    confirmation: true,
    idempotent: true,
    secretResponse: true,
    pathParams: keyPath,
    body: RotateApiKeyBody,
    targets,
    success: created('API key replaced', NewApiKey),
    errors: ['not_found', 'api_key_ended', 'too_many_api_keys'],
    activity: 'api_key.rotate',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/auth/api-keys/:id',
    summary: 'Revoke an API key',
    description: 'Ends its requests and live streams.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'remove',
    ifMatch: true,
    pathParams: keyPath,
    targets,
    success: ok('API key revoked', Deleted),
    errors: ['not_found'],
    activity: 'api_key.revoke',
  }),
  scopes: endpoint({
    method: 'GET',
    path: '/api/scopes',
    summary: 'List the scopes of API keys',
    isAddition: true,
    access: publicAccess,
    success: ok('Scopes retrieved', ScopeList),
  }),
  reportLeak: endpoint({
    method: 'POST',
    path: '/api/leaked-keys',
    summary: 'Report a leaked API key',
    description:
      'Ends the key and tells its owner. The response is the same for anything else, which discloses nothing.',
    isAddition: true,
    access: publicAccess,
    effect: 'remove',
    rateLimit: 'leaked-key',
    body: LeakedKeyBody,
    success: ok('If this is a key, it no longer works', ReceivedReport),
    activity: 'api_key.revoke',
  }),
  ...organizationKeyOperations,
};
