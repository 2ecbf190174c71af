import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a test server received. */
export interface Received {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** Responds to a request; `hang up` breaks the connection instead. */
export type Handler = (request: Received) => Reply | 'hang up' | Promise<Reply | 'hang up'>;

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly Received[];
}

/** Starts a server on a free port. */
export async function startService(handler: Handler): Promise<Service> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    void receive(request).then(
      async (received) => {
        requests.push(received);
        send(response, await handler(received));
      },
      () => {},
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Builds a success of the service. */
export function success(data: unknown, status = 200): Reply {
  return { status, body: { message: 'Fine', data } };
}

/** Builds an error of the service. */
export function failure(status: number, code: string, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: { message: `It is ${code}`, code, requestId: 'req_test' } };
}

/** Creates a promise that a test resolves with `open`. */
export function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, body: Buffer.concat(chunks) };
}

function send(response: ServerResponse, reply: Reply | 'hang up'): void {
  if (reply === 'hang up') {
    response.destroy();
    return;
  }
  const isText = typeof reply.body === 'string';
  response.writeHead(reply.status, {
    'content-type': isText ? 'text/html' : 'application/json',
    'x-request-id': 'req_test',
    ...reply.headers,
  });
  response.end(isText ? reply.body : JSON.stringify(reply.body));
}
