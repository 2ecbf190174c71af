import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { operations, type OperationId } from '@atelier/contract';

/** A request to the proxy. */
export interface ProxiedRequest {
  /** Null for a request outside of the contract. */
  readonly operation: OperationId | null;
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Origin of the proxy. */
  readonly origin: string;
}

/** Sends a request to the real service. */
export type Forward = (request: ProxiedRequest) => Promise<Response>;

/** Injects a fault: responds in place of the real service, or changes what passes the proxy. */
export type Fault = (request: ProxiedRequest, forward: Forward) => Promise<Response>;

export const noFault: Fault = (request, forward) => forward(request);

const hopByHop = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

/** Starts a proxy of the real service and its mail inbox that injects a fault. */
export async function startFaultyProxy(real: { url: string; mailUrl: string }, fault: Fault) {
  const server = createServer((request, response) => {
    void relay(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const proxied = await proxiedRequestOf(request, origin);
    const { status, headers, body } = await fault(proxied, (changed) => sendTo(real, changed));
    response.writeHead(status, headersFor(headers));
    if (body === null) response.end();
    // The DOM library, which the client's sources need, types the same class differently.
    else await pipeline(Readable.fromWeb(body as ReadableStream), response);
  }

  return {
    url: origin,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function proxiedRequestOf(request: IncomingMessage, origin: string): Promise<ProxiedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  const { method = 'GET', url: path = '/' } = request;
  const headers = Object.entries(request.headers)
    .filter(([name]) => !hopByHop.includes(name))
    .map(([name, value]) => [name, String(value)]);
  return {
    operation: operationAt(method, path),
    method,
    path,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: chunks.length > 0 ? Buffer.concat(chunks).toString() : null,
    origin,
  };
}

async function sendTo(
  { url, mailUrl }: { url: string; mailUrl: string },
  { method, path, headers, body }: ProxiedRequest,
): Promise<Response> {
  return fetch(`${path === '/email' ? mailUrl : url}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== null && { body }),
  });
}

function headersFor(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  const rest = [...headers].filter(
    ([name]) => !['set-cookie', 'content-encoding', 'content-length', ...hopByHop].includes(name),
  );
  return { ...Object.fromEntries(rest), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
}

const routes = operations
  .map(({ id, endpoint: { method, path } }) => ({
    id,
    method,
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    parameters: path.split(':').length,
  }))
  .toSorted((a, b) => a.parameters - b.parameters);

function operationAt(method: string, path: string): OperationId | null {
  const [pathname = ''] = path.split('?');
  const route = routes.find(
    (candidate) => candidate.method === method && candidate.pattern.test(pathname),
  );
  return route?.id ?? null;
}
