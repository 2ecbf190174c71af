import { operations } from '@atelier/contract';
import { MockFailure } from './failure.ts';
import { features as allFeatures } from './features/index.ts';
import { objectResponse } from './objects.ts';
import { inputOf, preferredFailure, type MockRequest } from './requests.ts';
import type { MockResponse } from './response.ts';
import { isKnownPath, matchOf } from './routing.ts';
import { authenticate, authorize, expectConfirmed, resolveTargets } from './state/access.ts';
import { recordActivities } from './state/activities.ts';
import type { Call, Features, State } from './state/model.ts';
import { eTagOf, expectUnchanged, isNamedBy } from './state/etags.ts';
import { perform, shown, subjectOf } from './state/perform.ts';
import { schemaByKind } from './state/kinds.ts';
import { keep, repeated } from './state/repetitions.ts';
import { createState, inboxOf } from './state/state.ts';
import { addSampleData } from './samples.ts';
import { liveUpdates } from './stream.ts';

/** Options of a mock. */
export interface MockOptions {
  /** Seed of the generated data; default 1. */
  readonly seed: number;
  /** Whether it starts with an account that has sample data; default true. */
  readonly hasSampleData: boolean;
  /**
   * Who a token is that the mock did not make: `sample`, the account with the sample data, or `none`, an error. Without
   * sample data, `none`. Default `sample`.
   */
  readonly unknownTokens: 'sample' | 'none';
  /** Whether a request without a token is one of the account with the sample data; default: it is an error. */
  readonly acceptsAnonymous: boolean;
  /** Delay of every response in milliseconds; default 0. */
  readonly latencyMs: number;
  /** Share of the requests, from 0 to 1, that get a 503 of the contract; default 0. */
  readonly failureRate: number;
  /** Milliseconds between two made-up live updates; 0: only real changes are sent. Default 0. */
  readonly eventEveryMs: number;
  /** Base URL of the web app, for the links of mails; default: that of the mock. */
  readonly appUrl: string;
  /** The time in milliseconds since 1970. */
  readonly nowMs: () => number;
}

const defaultOptions: Omit<MockOptions, 'appUrl'> = {
  seed: 1,
  hasSampleData: true,
  unknownTokens: 'sample',
  acceptsAnonymous: false,
  latencyMs: 0,
  failureRate: 0,
  eventEveryMs: 0,
  nowMs: Date.now,
};

/** Responds to requests from memory, in every environment with fetch. */
export interface MockService {
  /** Whether a path is one of the mock: of an operation, its storage, or its mails. */
  has(path: string): boolean;
  respond(request: MockRequest): Promise<MockResponse>;
}

/** Sample data is older than everything else. */
const sampleTime = { startMs: Date.UTC(2026, 0, 5, 8), stepMs: 5 * 60 * 1000 };

/** Creates a mock that responds under a base URL. */
export async function createMockService(
  baseUrl: string,
  given: Partial<MockOptions> = {},
  features: Features = allFeatures,
): Promise<MockService> {
  const options: MockOptions = { ...defaultOptions, appUrl: baseUrl, ...given };
  const { seed, nowMs, appUrl } = options;
  const state = createState({ seed, features, baseUrl, appUrl, nowMs });
  state.simulateTime(sampleTime);
  features.setUp(state);
  if (options.hasSampleData) {
    const { id } = addSampleData(state);
    if (options.unknownTokens === 'sample') state.guestId = id;
  }
  state.simulateTime(null);
  let count = 0;
  return {
    has: (path) => path === '/email' || path.startsWith('/mock-storage/') || isKnownPath(path),
    async respond(request) {
      count += 1;
      const own = request.headers['x-request-id'] ?? '';
      const requestId = /^[\w.-]{1,64}$/.test(own) ? own : `req_mock_${count}`;
      if (options.latencyMs > 0) await pause(options.latencyMs);
      const response = responseTo({ state, options }, request, { requestId, count });
      return { ...response, headers: { 'x-request-id': requestId, ...response.headers } };
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Service {
  readonly state: State;
  readonly options: MockOptions;
}

function responseTo(service: Service, request: MockRequest, place: Place): MockResponse {
  try {
    return handle(service, request, place);
  } catch (error) {
    return errorResponse(error, place.requestId);
  }
}

const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/** The number of a request, and what names it. */
interface Place {
  readonly requestId: string;
  readonly count: number;
}

function handle(service: Service, request: MockRequest, { requestId, count }: Place): MockResponse {
  const { state, options } = service;
  const { pathname } = request.url;
  if (request.method === 'OPTIONS') return { status: 204, body: null };
  if (pathname.startsWith('/mock-storage/')) return objectResponse(state, request);
  if (pathname === '/email') return inboxResponse(state, request);
  const { operation, params } = matchOf(request);
  const headers = withGuest(service, request.headers);
  const identity = authenticate(state, operation, { ...request, headers });
  const failure = preferredFailure(operation, request);
  if (failure) throw failure;
  if (isUnlucky(options, count)) throw new MockFailure('service_unavailable');
  const input = inputOf(operation, request, params);
  const access = authorize(state, operation, { ...identity, params, headers });
  const unresolved = { state, operation, request, input, ...identity, ...access, activities: null };
  const call: Call = { ...unresolved, records: new Map() };
  expectConfirmed(call);
  const first = repeated(call, options.nowMs());
  if (first) return first;
  const response = attempt({ ...call }, requestId, options);
  keep(call, response, options.nowMs());
  return response;
}

function withGuest(
  { state, options }: Service,
  headers: MockRequest['headers'],
): MockRequest['headers'] {
  const isGuest = options.acceptsAnonymous && state.guestId && !headers['authorization'];
  return isGuest ? { ...headers, authorization: 'Bearer anyone' } : headers;
}

/** The same requests fail in every run. */
function isUnlucky({ failureRate }: MockOptions, count: number): boolean {
  return failureRate > 0 && (count * 0.618_033_988_75) % 1 < failureRate;
}

/** An error is a response too: the first one of an Idempotency-Key is kept. */
function attempt(call: Call, requestId: string, options: MockOptions): MockResponse {
  try {
    const resolved = { ...call, records: resolveTargets(call) };
    expectPrecondition(resolved);
    return success(resolved, requestId, options);
  } catch (error) {
    return errorResponse(error, requestId);
  }
}

function expectPrecondition(call: Call): void {
  const ifMatch = call.request.headers['if-match'];
  const subject = subjectOf(call);
  if (!call.operation.endpoint.metadata.ifMatch || ifMatch === undefined || !subject) return;
  const schema = schemaByKind.get(subject.kind);
  if (!schema) return;
  const reading = readingOf(call, subject.kind);
  expectUnchanged(ifMatch, eTagOf(schema, shown(reading, subject)));
}

/** The operation that reads a record: its tag is what `If-Match` takes. */
function readingOf(call: Call, kind: string): Call {
  const operation = operations.find(
    ({ endpoint }) =>
      endpoint.method === 'GET' && endpoint.metadata.success.data === schemaByKind.get(kind),
  );
  return operation ? { ...call, operation } : call;
}

function success(call: Call, requestId: string, options: MockOptions): MockResponse {
  const { state, request, operation } = call;
  const {
    status,
    body: declared,
    data: schema,
    message,
    isStream,
  } = operation.endpoint.metadata.success;
  if (isStream) return liveUpdates(call, options.eventEveryMs);
  const data = perform(call);
  recordActivities(call, requestId);
  if (!declared) {
    return {
      status,
      headers: {
        location: typeof data === 'string' ? data : state.appUrl,
        'cache-control': 'no-store',
      },
      body: null,
    };
  }
  const whole = { ...(message !== null && { message }), ...(schema && { data }) };
  const parsed = declared.safeParse(whole);
  if (!parsed.success) {
    throw new Error(`${operation.id} responds with ${JSON.stringify(whole)}`, {
      cause: parsed.error,
    });
  }
  // In the order of the contract, without undeclared fields.
  const body = JSON.stringify(parsed.data);
  if (!schema || !operation.endpoint.metadata.etag) return { status, headers: json, body };
  const etag = eTagOf(schema, data);
  return isNamedBy(request.headers['if-none-match'], etag)
    ? { status: 304, headers: { etag, 'cache-control': 'no-store' }, body: null }
    : { status, headers: { ...json, etag }, body };
}

function inboxResponse(state: State, { method }: MockRequest): MockResponse {
  if (method === 'DELETE') state.mails.length = 0;
  return { status: 200, headers: json, body: JSON.stringify(inboxOf(state)) };
}

function errorResponse(error: unknown, requestId: string): MockResponse {
  const failure = error instanceof MockFailure ? error : new MockFailure('internal_error');
  // A browser has no other log.
  // eslint-disable-next-line no-console
  if (failure !== error) console.error(error);
  const { code, message, status, errors, headers } = failure;
  const body = { message, code, requestId, ...(errors && { errors }) };
  return { status, headers: { ...json, ...headers }, body: JSON.stringify(body) };
}
