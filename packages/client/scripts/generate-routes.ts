import { operations, type Operation } from '@atelier/contract';
import { z } from 'zod';

/** Prints the route table: one row `METHOD flags path` for each operation of each group. */
export function generateRoutes(): string {
  const groups = Map.groupBy(operations, ({ id }) => id.split('.')[0]);
  const printed = [...groups].map(([group, members]) => {
    const rows = members.map(
      ({ id, endpoint }) =>
        `    ${id.split('.')[1]}: '${endpoint.method} ${flagsOf(endpoint)} ${endpoint.path}',\n`,
    );
    return `  ${group}: {\n${rows.join('')}  },\n`;
  });
  return `// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

/**
 * Every operation as \`METHOD flags path\`. Flags: b takes the bearer token, o takes the
 * organization, i takes an Idempotency-Key, l returns pages, t returns tokens, r redirects a browser.
 */
export const routes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
${printed.join('')}};
`;
}

/** Whether the response is one page of a list. */
export function isList(endpoint: Operation['endpoint']): boolean {
  return hasFields(endpoint.metadata.success.data, 'items', 'pagination');
}

function flagsOf(endpoint: Operation['endpoint']): string {
  const { access, idempotent, secretKey, success } = endpoint.metadata;
  const flags = [
    access.kind === 'public' ? '' : 'b',
    'x-organization-id' in endpoint.headers ? 'o' : '',
    idempotent || secretKey ? 'i' : '',
    isList(endpoint) ? 'l' : '',
    hasFields(success.data, 'token') ? 't' : '',
    success.status === 302 ? 'r' : '',
  ];
  return flags.join('') || '-';
}

function hasFields(schema: z.ZodType | null, ...names: string[]): boolean {
  return schema instanceof z.ZodObject && names.every((name) => name in schema.shape);
}
