/** Returns the address of the Model Context Protocol. */
export function assistantAddress(apiUrl: string): string {
  return `${withoutSlash(apiUrl)}/mcp`;
}

/** Returns the configuration of a client that connects over HTTP, as JSON. */
export function httpConfiguration(apiUrl: string, key: string): string {
  return configuration({
    type: 'http',
    url: assistantAddress(apiUrl),
    headers: { Authorization: `Bearer ${key}` },
  });
}

/** Returns the configuration of a client that starts a program, as JSON. */
export function programConfiguration(apiUrl: string, key: string): string {
  return configuration({
    command: 'npx',
    args: ['-y', '@atelier/mcp'],
    env: { ATELIER_URL: withoutSlash(apiUrl), ATELIER_KEY: key },
  });
}

function configuration(atelier: object): string {
  return JSON.stringify({ mcpServers: { atelier } }, null, 2);
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
