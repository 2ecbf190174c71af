import { groupCatalogue, operations, type Operation } from '@atelier/contract';
import { isList } from './generate-routes.ts';

const banner =
  '// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.\n';

/** Prints the groups of operations as sources of options for TanStack Query. */
export function generateQueryGroups(): string {
  const groups = Map.groupBy(operations.filter(isCallable), groupOf);
  const printed = [...groups].map(
    ([group, members]) =>
      `  ${group}: {\n${members
        .map((operation) => {
          const { id, endpoint } = operation;
          return `    ${id.split('.')[1]}: ${kindOf(endpoint)}<'${id}'>;\n`;
        })
        .join('')}  };\n`,
  );
  return [
    banner,
    "import type { ListQueries, Mutations, Queries } from '../query-types.ts';\n\n",
    '/** Options of every operation by group and name. */\n',
    `export interface QueryGroups {\n${printed.join('')}}\n`,
  ].join('');
}

/**
 * Prints the groups whose queries a change of each resource makes stale: its own, those with operations on it, those
 * of the resources that the paths of its own name, and summaries of everything.
 */
export function generateStaleGroups(): string {
  const owners = new Map(
    Object.entries(groupCatalogue).flatMap(([group, { resources }]) =>
      Object.keys(resources).map((resource) => [resource, group]),
    ),
  );
  const withQueries = new Set(operations.filter(isQuery).map(groupOf));
  // A group whose queries are all below a record shows no more than that record.
  const beyondRecords = new Set(
    operations
      .filter((operation) => isQuery(operation) && pathResourcesOf(operation).length === 0)
      .map(groupOf),
  );
  const summaries = operations
    .filter(isSummary)
    .map(groupOf)
    .filter((group) => beyondRecords.has(group) && ![...owners.values()].includes(group));
  const rows = [...owners].map(([resource, owner]) => {
    const users = operations.filter((operation) => resourcesOf(operation).includes(resource));
    const parents = operations
      .filter((operation) => groupOf(operation) === owner)
      .flatMap((operation) => pathResourcesOf(operation))
      .map((parent) => owners.get(parent) ?? owner);
    const groups = new Set([owner, ...users.map(groupOf), ...parents, ...summaries]);
    const printed = [...groups].filter((group) => withQueries.has(group)).join(' ');
    return `  ${resource}: '${printed}',\n`;
  });
  return `${banner}
import type { ResourceType } from './types.ts';

/** The groups whose queries a change of a resource makes stale. */
export const staleGroups: Readonly<Record<ResourceType, string>> = {
${rows.join('')}};
`;
}

function groupOf({ id }: Operation): string {
  return id.split('.')[0] ?? '';
}

/** Whether a program calls it for its data: redirects and streams have none. */
function isCallable({ endpoint }: Operation): boolean {
  const { status, isStream } = endpoint.metadata.success;
  return status !== 302 && !isStream;
}

function isQuery(operation: Operation): boolean {
  return operation.endpoint.method === 'GET' && isCallable(operation);
}

/** Whether it shows what the whole organization does. */
function isSummary(operation: Operation): boolean {
  return isQuery(operation) && 'x-organization-id' in operation.endpoint.headers;
}

function resourcesOf({ endpoint }: Operation): string[] {
  const { targets, activities } = endpoint.metadata;
  return [
    ...Object.values(targets).map(({ resource }) => resource),
    ...activities.map((action) => action.split('.')[0] ?? ''),
  ];
}

function pathResourcesOf({ endpoint }: Operation): string[] {
  return Object.entries(endpoint.metadata.targets).flatMap(([field, { resource }]) =>
    field.startsWith('params.') ? [resource] : [],
  );
}

function kindOf(endpoint: Operation['endpoint']): string {
  if (endpoint.method !== 'GET') return 'Mutations';
  return isList(endpoint) ? 'ListQueries' : 'Queries';
}
