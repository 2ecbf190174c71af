import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import manifest from '../package.json' with { type: 'json' };
import type { Settings } from './settings.ts';

/**
 * Connects to the service. It keeps no connection: requests fail while the service can't be reached, and work again later.
 *
 * @throws Error if the service can't be reached, or refuses the key or the address
 */
export async function connectToService({ address, key }: Settings): Promise<Client> {
  const client = new Client(
    { name: 'atelier-mcp', version: manifest.version },
    { versionNegotiation: { mode: 'auto' } },
  );
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  return client;
}
