import type { Operation } from '@atelier/contract';
import { z } from 'zod';

/** Returns valid input in a team: the examples of the contract, whose ids nothing has. */
export function exampleInputOf({ endpoint }: Operation, teamId: string) {
  const { metadata, pathParams, query, headers } = endpoint;
  // The general type of an operation has no body; an actual body is a schema or a marker.
  const body: unknown = endpoint.body;
  const params = { ...requiredOf(pathParams) };
  const { access } = metadata;
  if (access.kind === 'member' && access.organizationFrom === 'path') params['id'] = teamId;
  return {
    params,
    query: requiredOf(query),
    ...('x-organization-id' in headers && { organizationId: teamId }),
    ...(body instanceof z.ZodType && { body: firstExampleOf(body) }),
  };
}

function firstExampleOf(schema: z.ZodType): unknown {
  const found = schema.meta()?.examples;
  return Array.isArray(found) ? found[0] : {};
}

const examples: Readonly<Record<string, string>> = {
  versionNumber: '1',
  type: 'asset',
  provider: 'google',
  code: '0123456789abcdef',
  token: 'a-token-that-nobody-has',
  confirmName: 'Another name',
};

function requiredOf(schema: z.ZodType | undefined): Record<string, string> {
  if (!schema) return {};
  const { required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(
    required.map((name) => [name, examples[name] ?? '019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a']),
  );
}
