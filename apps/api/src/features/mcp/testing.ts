import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { Reachable } from '../../testing/api.ts';

interface AssistantOptions {
  /** The query of the address, such as `mode=read-only`. */
  readonly query?: string;
  /** How the client speaks; default: the newest revision of the protocol. */
  readonly era?: 'auto' | 'legacy';
}

/** Connects the protocol's own client with a key, for one test. */
export async function connectAssistant(
  { url }: Pick<Reachable, 'url'>,
  key: string,
  { query = '', era = 'auto' }: AssistantOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test-assistant', version: '3.2.1' },
    { versionNegotiation: { mode: era } },
  );
  const headers = { authorization: `Bearer ${key}` };
  const address = new URL(`${url}/mcp${query && `?${query}`}`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** Returns the text of a result. */
export function textOf({ content }: { readonly content: readonly object[] }): string {
  return content.map((part) => ('text' in part ? String(part.text) : '')).join('\n');
}
