import { z } from 'zod/v4';
import { derived, Id, Timestamp } from './primitives.ts';
import { scopes } from './scopes.ts';

export const ScopeName = z.enum(scopes).meta({
  id: 'Scope',
  description: 'What an API key may be allowed to do.',
  examples: ['task:edit'],
});

export const ApiKeyKind = z.enum(['PERSONAL', 'SERVICE']).meta({
  id: 'ApiKeyKind',
  description: 'PERSONAL acts as its person, SERVICE as a service account.',
  examples: ['PERSONAL'],
});

/** What assistants may do with an API key without asking a person; see `approvals`. */
export const toolModes = ['READ_ONLY', 'ASK', 'FREE'] as const;

export const ToolMode = z.enum(toolModes).meta({
  id: 'ToolMode',
  description:
    'What the tools of assistants may do with a key: READ_ONLY reads; ASK also changes and adds, and asks a person before it removes something or shows data to outsiders; FREE asks only before it shows data to outsiders.',
  examples: ['ASK'],
});

const apiKeyStatuses = ['ACTIVE', 'EXPIRING', 'EXPIRED', 'REVOKED'] as const;

/** What every representation of a key is made of. */
export const apiKeyFields = {
  id: Id,
  name: z.string(),
  kind: ApiKeyKind,
  prefix: z.string().describe('The first 12 characters of the key.'),
  lastFour: z.string(),
  scopes: z.array(ScopeName),
  toolMode: ToolMode,
  organizations: z
    .array(z.object({ id: Id, name: z.string() }))
    .describe('The only organizations that the key reaches.'),
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable().describe('Null: it does not expire.'),
  lastUsedAt: Timestamp.nullable().meta({ description: 'Up to a minute old.', ...derived }),
  lastUsedIp: z.string().nullable().meta(derived),
  revokedAt: Timestamp.nullable(),
  status: z.enum(apiKeyStatuses).meta({ description: '`EXPIRING`: within 7 days.', ...derived }),
};

export const apiKeyExample = {
  id: '019aa4f7-3c2d-7e5f-8b40-2d3e4f5a6b7c',
  name: 'Nightly build',
  kind: 'PERSONAL',
  prefix: 'atl_pat_9fKc',
  lastFour: 'x2Qa',
  scopes: ['asset:create', 'asset:read'],
  toolMode: 'ASK' as const,
  organizations: [{ id: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11', name: 'Analytical Engines' }],
  createdAt: '2026-11-21T09:30:00.000Z',
  expiresAt: '2027-02-19T09:30:00.000Z',
  lastUsedAt: '2026-11-21T11:15:00.000Z',
  lastUsedIp: '203.0.113.7',
  revokedAt: null,
  status: 'ACTIVE',
};
