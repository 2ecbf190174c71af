import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createMcpHandler, type Server } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';

/** A response that is not of the protocol. */
export interface PlainResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Starts a service for one test.
 *
 * @param respond - a server of the protocol for each request, or a response
 * @returns its `/mcp`
 */
export async function startService(respond: () => Server | PlainResponse): Promise<URL> {
  const server = createServer((request, response) => {
    const disconnection = new AbortController();
    response.on('close', () => disconnection.abort());
    void (async () => {
      const responder = respond();
      const { status, headers, body } =
        'status' in responder
          ? responder
          : await responseOf(responder, request, disconnection.signal);
      response.writeHead(status, { ...headers }).end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

async function responseOf(
  server: Server,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<PlainResponse> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const response = await createMcpHandler(() => server).fetch(
    new Request('http://127.0.0.1/mcp', { method: 'POST', headers, signal }),
    { parsedBody: await json(request) },
  );
  return {
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? 'application/json' },
    body: await response.text(),
  };
}
