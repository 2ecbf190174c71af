import { operations, type Operation } from '@atelier/contract';
import { z } from 'zod';

/**
 * Prints the route table: each group, what its paths begin with, and the rest of each path with its operations.
 * Of all forms tried, this one compresses best; minifiers join the lines.
 */
export function generateRoutes(): string {
  const groups = Map.groupBy(operations, ({ id }) => id.split('.')[0]);
  const printed = [...groups].map(([group, members]) => {
    const start = commonStart(members.map(({ endpoint }) => endpoint.path));
    const paths = Map.groupBy(members, ({ endpoint }) => endpoint.path);
    const rests = [...paths].map(([path, rows]) => {
      const end = path.slice(start.length);
      const cells = rows.map(({ id, endpoint }) => {
        const cell = `${endpoint.method}${flagsOf(id, endpoint)}`;
        const [, name = ''] = id.split('.');
        return name === lastWordOf(end) ? cell : `${cell}=${name}`;
      });
      return `${end} ${cells.join(' ')}`;
    });
    return `  '${[`${group},${start}`, ...rests].join(",' +\n  '")}`;
  });
  return `// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

/**
 * Every operation by group: the group, the start of its paths, and then for each path \`rest METHODflags=name …\`. Without
 * a name, it is the last word of the path. Flags: o takes the bearer token and the organization, b the bearer token, i takes
 * an Idempotency-Key, l returns pages, t returns tokens, r redirects a browser, x ends the session.
 */
export const table =
${printed.join(";' +\n")}';
`;
}

function lastWordOf(text: string): string {
  return text.replace(/.*\W/, '');
}

/** Returns the longest text that all begin with. */
function commonStart(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = first.length;
  while (!texts.every((text) => text.startsWith(first.slice(0, length)))) length--;
  return first.slice(0, length);
}

/** Whether the response is one page of a list. */
export function isList(endpoint: Operation['endpoint']): boolean {
  return hasFields(endpoint.metadata.success.data, 'items', 'pagination');
}

function flagsOf(id: string, endpoint: Operation['endpoint']): string {
  const { access, idempotent, secretKey, success } = endpoint.metadata;
  const takesOrganization = 'x-organization-id' in endpoint.headers;
  const flags = [
    takesOrganization ? 'o' : access.kind === 'public' || access.kind === 'share' ? '' : 'b',
    idempotent || secretKey ? 'i' : '',
    isList(endpoint) ? 'l' : '',
    hasFields(success.data, 'token') ? 't' : '',
    success.status === 302 ? 'r' : '',
    id === 'auth.logout' ? 'x' : '',
  ];
  return flags.join('');
}

function hasFields(schema: z.ZodType | null, ...names: string[]): boolean {
  return schema instanceof z.ZodObject && names.every((name) => name in schema.shape);
}
