import type { OperationId } from '@atelier/contract';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { organizationHeader } from './api.ts';
import type { McpContext } from './context.ts';

/** What has an address of its own, and the operation that reads it. */
const readers = {
  organizations: { operation: 'organizations.get', title: 'An organization' },
  projects: { operation: 'projects.get', title: 'A project' },
  tasks: { operation: 'tasks.get', title: 'A task' },
  assets: { operation: 'assets.get', title: 'An asset' },
} as const satisfies Record<string, { operation: OperationId; title: string }>;

const mimeType = 'application/json';

/** The templates of all addresses. With a key for several organizations, the query selects one. */
export const resourceTemplates = Object.entries(readers).map(([name, { title }]) => ({
  name,
  title,
  uriTemplate: `atelier://${name}/{id}{?organizationId}`,
  mimeType,
}));

const address = /^atelier:\/\/(\w+)\/([\da-f-]{36})(?:\?organizationId=([\da-f-]{36}))?$/;

/**
 * Reads what is at an address by its GET.
 *
 * @throws ResourceNotFoundError for an address that is none, and for what the key can't read
 * @throws ProtocolError with the message of the API, if another attempt may succeed
 */
export async function readResource(
  uri: string,
  { callApi }: Pick<McpContext, 'callApi'>,
): Promise<ReadResourceResult> {
  const [, name = '', id = '', organizationId] = address.exec(uri) ?? [];
  const reader = Object.entries(readers).find(([known]) => known === name)?.[1];
  if (!reader) throw new ResourceNotFoundError(uri);
  const { status, body } = await callApi({
    operation: reader.operation,
    params: { id },
    headers: organizationHeader(organizationId),
  });
  if (status === 429 || status >= 500) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, body.message ?? `HTTP ${status}`);
  }
  if (status >= 400) throw new ResourceNotFoundError(uri, body.message);
  return { contents: [{ uri, mimeType, text: JSON.stringify(body.data) }] };
}
