import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createMockService, type MockOptions, type MockService } from './mock.ts';
import type { MockRequest } from './requests.ts';
import type { MockResponse } from './response.ts';

/** Options of the mock server. */
export interface MockServerOptions extends MockOptions {
  /** Port to listen on; default 0 = a free one. */
  readonly port: number;
}

/** A running mock server. */
export interface Mock extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server on the loopback interface that responds from memory. */
export async function startMock({
  port = 0,
  ...options
}: Partial<MockServerOptions> = {}): Promise<Mock> {
  let service: MockService | null = null;
  let baseUrl = '';
  const server = createServer((incoming, outgoing) => {
    receive(incoming, baseUrl)
      .then((request) => service?.respond(request))
      .then((response) => response && send(outgoing, response))
      .catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  baseUrl = `http://localhost:${address.port}`;
  service = await createMockService(baseUrl, options);
  return {
    url: baseUrl,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': '*, authorization',
  'access-control-expose-headers':
    '*, etag, idempotency-replayed, location, preference-applied, retry-after, x-request-id',
};

async function receive(incoming: IncomingMessage, baseUrl: string): Promise<MockRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? 'GET'),
    isHead: incoming.method === 'HEAD',
    url: urlOf(incoming.url ?? '/', baseUrl),
    // Node joins repeated headers, but for set-cookie.
    headers: incoming.headers as MockRequest['headers'],
    body: Buffer.concat(chunks),
  };
}

/** A target that starts with `//` is a path: as a relative URL it would name another host, or none. */
function urlOf(target: string, baseUrl: string): URL {
  const path = target.replace(/^(?:https?:\/\/[^/]*)?\/?/, '/');
  return new URL(baseUrl + path);
}

function send(outgoing: ServerResponse, { status, headers, body }: MockResponse): void {
  outgoing.writeHead(status, { ...corsHeaders, ...headers });
  if (!(body instanceof ReadableStream)) {
    outgoing.end(body ?? undefined);
    return;
  }
  // A client that closes a stream causes an error, which is expected.
  pipeline(Readable.from(body), outgoing, () => {});
}
