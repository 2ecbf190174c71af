import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { operations, type OperationId } from '@atelier/contract';

/** A request on its way to the service. */
export interface Call {
  /** Null where the contract has no such operation. */
  readonly operation: OperationId | null;
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Where the proxy answers. */
  readonly origin: string;
}

/** Gets a call as the service would answer it. */
export type Ask = (call: Call) => Promise<Response>;

/** Something wrong with a service: stands between its callers and the real one. */
export type Fault = (call: Call, ask: Ask) => Promise<Response>;

export const noFault: Fault = (call, ask) => ask(call);

const hopByHop = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

/** Starts a service that is the real one but for a fault. Its mails are behind it as well. */
export async function startFaultyProxy(real: { url: string; mailUrl: string }, fault: Fault) {
  const server = createServer((request, response) => {
    void relay(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await fault(await callOf(request, origin), (call) => forward(call, real));
    response.writeHead(answer.status, headersFor(answer));
    if (answer.body === null) response.end();
    else await pipeline(Readable.fromWeb(answer.body), response);
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

async function callOf(request: IncomingMessage, origin: string): Promise<Call> {
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

async function forward(
  { method, path, headers, body }: Call,
  { url, mailUrl }: { url: string; mailUrl: string },
): Promise<Response> {
  return fetch(`${path === '/email' ? mailUrl : url}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== null && { body }),
  });
}

function headersFor({ headers }: Response): Record<string, string | string[]> {
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
  const route = routes.find((one) => one.method === method && one.pattern.test(pathname));
  return route?.id ?? null;
}
