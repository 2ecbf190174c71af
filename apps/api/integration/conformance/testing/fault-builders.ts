import { errorCatalogue, type ErrorCode, type OperationId } from '@atelier/contract';
import { isRecord } from '../../../../../packages/conformance/src/response-rules.ts';
import type { ProxiedRequest, Fault } from './faulty-proxy.ts';

type Change<T> = (value: T, request: ProxiedRequest) => T | Promise<T>;

/** Changes the responses of an operation. */
export function changingResponse(id: OperationId, change: Change<Response>): Fault {
  return async (request, forward) => {
    const response = await forward(request);
    return request.operation === id ? change(response, request) : response;
  };
}

/** Changes the requests to an operation. */
export function changingRequest(id: OperationId, change: Change<ProxiedRequest>): Fault {
  return async (request, forward) =>
    forward(request.operation === id ? await change(request, request) : request);
}

/** Responds to an operation without the service; null forwards the request after all. */
export function respondingInstead(
  id: OperationId,
  response: (request: ProxiedRequest) => Response | null,
): Fault {
  return async (request, forward) =>
    (request.operation === id ? response(request) : null) ?? forward(request);
}

/** Changes the body of a success. */
export function changingBody(id: OperationId, change: (body: Json) => unknown): Fault {
  return changingResponse(id, (response) => (response.ok ? withBody(response, change) : response));
}

/** Changes the `data` of a success. */
export function changingData(id: OperationId, change: (data: Json) => unknown): Fault {
  return changingBody(id, (body) => ({ ...body, data: change(recordIn(body['data'])) }));
}

/** Changes the errors of an operation. */
export function changingErrors(id: OperationId, change: Change<Response>): Fault {
  return changingResponse(id, (response, request) =>
    response.status >= 400 ? change(response, request) : response,
  );
}

/** Repeats the last success of an operation instead of an error. */
export function repeatingSuccess(
  id: OperationId,
  keyOf: (request: ProxiedRequest) => string = () => '',
): Fault {
  const successes = new Map<string, string>();
  return changingResponse(id, async (response, request) => {
    const key = keyOf(request);
    if (response.ok) {
      successes.set(key, await response.clone().text());
      return response;
    }
    const last = successes.get(key);
    if (last === undefined) return response;
    return new Response(last, { headers: response.headers, status: 200 });
  });
}

export type Json = Record<string, unknown>;

export function recordIn(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** Parses the fields of a request body. */
export function fieldsOf({ body }: ProxiedRequest): Json {
  try {
    return recordIn(JSON.parse(body ?? ''));
  } catch {
    return {};
  }
}

export function withFields(
  request: ProxiedRequest,
  change: (fields: Json) => Json,
): ProxiedRequest {
  return { ...request, body: JSON.stringify(change(fieldsOf(request))) };
}

export function withQuery(
  request: ProxiedRequest,
  change: (query: URLSearchParams) => void,
): ProxiedRequest {
  const url = new URL(request.path, request.origin);
  change(url.searchParams);
  return { ...request, path: `${url.pathname}${url.search}` };
}

export function withoutRequestHeader(request: ProxiedRequest, name: string): ProxiedRequest {
  const { [name]: _, ...headers } = request.headers;
  return { ...request, headers };
}

export function withToken(request: ProxiedRequest, token: string): ProxiedRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

export async function withBody(
  response: Response,
  change: (body: Json) => unknown,
): Promise<Response> {
  const body = JSON.stringify(change(recordIn(await response.json())));
  return new Response(body, { status: response.status, headers: response.headers });
}

export function withStatus(response: Response, status: number): Response {
  const { headers } = response;
  return new Response(status === 204 ? null : response.body, { status, headers });
}

export function withHeader(response: Response, name: string, value: string): Response {
  const headers = new Headers(response.headers);
  headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

export function withoutHeader(response: Response, name: string): Response {
  const headers = new Headers(response.headers);
  headers.delete(name);
  return new Response(response.body, { status: response.status, headers });
}

/** Builds an error of the service that replaces another response. */
export function errorInstead(response: Response, code: ErrorCode, status?: number): Response {
  const { status: usual, message } = errorCatalogue[code];
  const requestId = response.headers.get('x-request-id') ?? '';
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json; charset=utf-8');
  if (usual === 401) headers.set('www-authenticate', 'Bearer');
  const body = JSON.stringify({ message, code, requestId });
  return new Response(body, { status: status ?? usual, headers });
}

/** Builds a success that does not come from the service. */
export function success(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'req_made_up',
    },
  });
}

/** Refuses each request to an operation by a rate limit that lasts longer than a check waits. */
export function limiting(id: OperationId): Fault {
  return respondingInstead(id, () =>
    withHeader(errorInstead(success({}), 'rate_limited'), 'retry-after', '3600'),
  );
}

/** Returns the first id in the path of a request. */
export function idIn({ path }: ProxiedRequest): string {
  return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(path)?.[0] ?? '';
}
