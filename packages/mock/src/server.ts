import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { operations, type Operation } from '@atelier/contract';
import { successBody, type MockContext } from './responses.ts';
import { MockFailure } from './failure.ts';
import { inputOf, preferredFailure, type Input, type MockRequest } from './requests.ts';
import { createStorage, type MockStorage } from './storage.ts';
import { liveUpdates } from './stream.ts';
import { uploadBody } from './uploads.ts';

/** Options of the mock server. */
export interface MockOptions {
  /** Seed of the generated data. */
  readonly seed: number;
  /** Port to listen on; 0 = a free one. */
  readonly port: number;
  /** Delay of every response. */
  readonly latencyMs: number;
  /** Whether operations that are not public need a bearer token; any token is valid. */
  readonly requiresToken: boolean;
  /** Milliseconds between two live updates. */
  readonly eventEveryMs: number;
}

/** A running mock server. */
export interface Mock extends AsyncDisposable {
  readonly url: string;
}

interface MockResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer | string | Readable | null;
}

interface Service extends MockContext {
  readonly options: MockOptions;
  readonly storage: MockStorage;
}

const defaultOptions: MockOptions = {
  seed: 1,
  port: 0,
  latencyMs: 0,
  requiresToken: true,
  eventEveryMs: 5000,
};

/** Starts a server that responds to every operation of the contract with generated data. */
export async function startMock(options: Partial<MockOptions> = {}): Promise<Mock> {
  const settings = { ...defaultOptions, ...options };
  const storage = createStorage();
  let baseUrl = '';
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count += 1;
    const requestId = `req_mock_${count}`;
    const responding = receive(incoming, baseUrl).then(async (request) => {
      if (settings.latencyMs > 0) await delay(settings.latencyMs);
      return respondTo({ options: settings, storage, seed: settings.seed, baseUrl }, request);
    });
    responding
      .catch((error: unknown) => errorResponse(error, requestId))
      .then(
        ({ status, headers, body }) => {
          outgoing.writeHead(status, { ...corsHeaders, 'x-request-id': requestId, ...headers });
          // A client that closes a stream causes an error, which is expected.
          if (body instanceof Readable) pipeline(body, outgoing, () => {});
          else outgoing.end(body ?? undefined);
        },
        () => outgoing.destroy(),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  baseUrl = `http://localhost:${port}`;
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
    '*, etag, location, preference-applied, retry-after, x-request-id',
};

async function receive(incoming: IncomingMessage, baseUrl: string): Promise<MockRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? 'GET'),
    isHead: incoming.method === 'HEAD',
    url: new URL(incoming.url ?? '/', baseUrl),
    headers: incoming.headers as MockRequest['headers'],
    body: Buffer.concat(chunks),
  };
}

function respondTo(service: Service, request: MockRequest): MockResponse {
  if (request.method === 'OPTIONS') return { status: 204, body: null };
  if (request.url.pathname.startsWith('/mock-storage/')) return storageResponse(service, request);
  const { operation, params } = matchOf(request);
  const { access } = operation.endpoint.metadata;
  const hasToken = /^Bearer \S+/i.test(request.headers['authorization'] ?? '');
  if (service.options.requiresToken && access.kind !== 'public' && !hasToken) {
    throw new MockFailure('unauthenticated');
  }
  const failure = preferredFailure(operation, request);
  if (failure) throw failure;
  return success(service, { operation, request, input: inputOf(operation, request, params) });
}

interface ValidRequest {
  readonly operation: Operation;
  readonly request: MockRequest;
  readonly input: Input;
}

function success(service: Service, { operation, request, input }: ValidRequest): MockResponse {
  const { status, body: declared, isStream } = operation.endpoint.metadata.success;
  if (isStream) return streamResponse(service, request);
  if (!declared)
    return { status, headers: { location: `${service.baseUrl}/?code=mock` }, body: null };
  const generated = successBody(service, operation, input);
  const body = JSON.stringify(uploadBody(service, { operation, input, generated }));
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(operation.endpoint.metadata.etag && { etag: tag }),
  };
  const isKnown = request.headers['if-none-match']?.includes(tag) ?? false;
  return isKnown && 'etag' in headers
    ? { status: 304, headers: { etag: tag }, body: null }
    : { status, headers, body };
}

function streamResponse(service: Service, { headers, isHead }: MockRequest): MockResponse {
  const body = isHead
    ? null
    : liveUpdates(service, {
        organizationId: headers['x-organization-id'],
        lastEventId: headers['last-event-id'],
        eventEveryMs: service.options.eventEveryMs,
      });
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    body,
  };
}

function storageResponse({ storage }: Service, { method, url, body }: MockRequest): MockResponse {
  if (method === 'PUT') {
    return { status: 200, headers: { etag: storage.put(url.pathname, body) }, body: null };
  }
  if (method !== 'GET')
    throw new MockFailure('method_not_allowed', { headers: { allow: 'GET, PUT' } });
  const { bytes, type } = storage.get(url.pathname);
  return { status: 200, headers: { 'content-type': type }, body: bytes };
}

const routes = operations.map((operation) => {
  const segments = operation.endpoint.path.split('/');
  return { operation, segments, parameters: segments.filter((one) => one.startsWith(':')).length };
});

function matchOf({ method, url }: MockRequest) {
  const given = url.pathname.split('/').map(decoded);
  const matching = routes
    .filter(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((segment, index) =>
          segment.startsWith(':') ? given[index] !== '' : segment === given[index],
        ),
    )
    // The path with fewer parameters wins, as in the service.
    .toSorted((one, other) => one.parameters - other.parameters);
  const [first] = matching;
  if (!first) throw new MockFailure('route_not_found');
  const path = first.operation.endpoint.path;
  const route =
    matching.find(
      ({ operation: { endpoint } }) => endpoint.method === method && endpoint.path === path,
    ) ?? matching.find(({ operation: { endpoint } }) => endpoint.method === method);
  if (!route) {
    const allow = matching.map(({ operation }) => operation.endpoint.method).join(', ');
    throw new MockFailure('method_not_allowed', { headers: { allow } });
  }
  const params = Object.fromEntries(
    route.segments.flatMap((segment, index) =>
      segment.startsWith(':') ? [[segment.slice(1), given[index] ?? '']] : [],
    ),
  );
  return { operation: route.operation, params };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new MockFailure('malformed_request');
  }
}

function errorResponse(error: unknown, requestId: string): MockResponse {
  const failure = error instanceof MockFailure ? error : new MockFailure('internal_error');
  if (failure !== error) process.stderr.write(`${String(error)}\n`);
  const { code, message, status, errors, headers } = failure;
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify({ message, code, requestId, ...(errors && { errors }) }),
  };
}
