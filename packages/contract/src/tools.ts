import { groupCatalogue } from './groups.ts';
import { operations, type Operation } from './operations.ts';
import type { Toolset } from './toolsets.ts';

/** The headers that are arguments of tools, and the names of these. */
export const headerArguments = {
  'x-organization-id': 'organizationId',
  'idempotency-key': 'idempotencyKey',
  'if-match': 'ifMatch',
} as const;

/** An operation that assistants call by name. */
export interface Tool extends Operation {
  /** Such as `tasks_create`. At most 64 characters, and as stable as the operation. */
  readonly name: string;
  readonly toolset: Toolset;
}

/**
 * Every operation that is a tool: those of groups with a toolset that an API key may use. A stream is none, nor a response
 * with a secret.
 */
export const tools: readonly Tool[] = operations.flatMap((operation) => {
  const { id, endpoint } = operation;
  const { keys, mayBeTool, success, secretKey, secretResponse } = endpoint.metadata;
  const [group = '', verb = ''] = id.split('.');
  const { toolset } = groupCatalogue[group as keyof typeof groupCatalogue];
  const isForKeys = keys !== null && keys !== 'refused';
  if (toolset === null || !mayBeTool || !isForKeys) return [];
  if (success.isStream || secretKey || secretResponse) return [];
  return [{ ...operation, name: `${withUnderscores(group)}_${withUnderscores(verb)}`, toolset }];
});

function withUnderscores(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
