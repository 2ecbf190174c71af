/** Returns the address of the Model Context Protocol. */
export function assistantAddress(apiUrl: string): string {
  return new URL('/mcp', apiUrl).href;
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
    env: { ATELIER_URL: new URL(apiUrl).origin, ATELIER_KEY: key },
  });
}

function configuration(atelier: object): string {
  return JSON.stringify({ mcpServers: { atelier } }, null, 2);
}
