import { errorCatalogue, type ErrorCode, type OperationId } from '@atelier/contract';
import { isRecord } from '../../../../../packages/conformance/src/standing.ts';
import type { Call, Fault } from './faulty-proxy.ts';

type Change<T> = (value: T, call: Call) => T | Promise<T>;

/** The service's answers of an operation are changed. */
export function answering(id: OperationId, change: Change<Response>): Fault {
  return async (call, ask) => {
    const answer = await ask(call);
    return call.operation === id ? change(answer, call) : answer;
  };
}

/** What an operation is asked is changed. */
export function asking(id: OperationId, change: Change<Call>): Fault {
  return async (call, ask) => ask(call.operation === id ? await change(call, call) : call);
}

/** An operation is answered without asking the service; null asks it after all. */
export function insteadOf(id: OperationId, answer: (call: Call) => Response | null): Fault {
  return async (call, ask) => (call.operation === id ? answer(call) : null) ?? ask(call);
}

/** The body of a success is changed. */
export function saying(id: OperationId, change: (body: Json) => unknown): Fault {
  return answering(id, (answer) => (answer.ok ? withBody(answer, change) : answer));
}

/** The `data` of a success is changed. */
export function giving(id: OperationId, change: (data: Json) => unknown): Fault {
  return saying(id, (body) => ({ ...body, data: change(recordIn(body['data'])) }));
}

/** Refusals of an operation become something else. */
export function refusing(id: OperationId, change: Change<Response>): Fault {
  return answering(id, (answer, call) => (answer.status >= 400 ? change(answer, call) : answer));
}

/** What an operation refuses it answers as it last succeeded. */
export function repeatingSuccess(id: OperationId, keyOf: (call: Call) => string = () => ''): Fault {
  const successes = new Map<string, string>();
  return answering(id, async (answer, call) => {
    const key = keyOf(call);
    if (answer.ok) {
      successes.set(key, await answer.clone().text());
      return answer;
    }
    const last = successes.get(key);
    if (last === undefined) return answer;
    return new Response(last, { headers: answer.headers, status: 200 });
  });
}

export type Json = Record<string, unknown>;

export function recordIn(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** The fields of a body that was sent. */
export function fieldsOf({ body }: Call): Json {
  try {
    return recordIn(JSON.parse(body ?? ''));
  } catch {
    return {};
  }
}

export function withFields(call: Call, change: (fields: Json) => Json): Call {
  return { ...call, body: JSON.stringify(change(fieldsOf(call))) };
}

export function withQuery(call: Call, change: (query: URLSearchParams) => void): Call {
  const url = new URL(call.path, call.origin);
  change(url.searchParams);
  return { ...call, path: `${url.pathname}${url.search}` };
}

export function withoutCallHeader(call: Call, name: string): Call {
  const { [name]: _, ...headers } = call.headers;
  return { ...call, headers };
}

export function withToken(call: Call, token: string): Call {
  return { ...call, headers: { ...call.headers, authorization: `Bearer ${token}` } };
}

export async function withBody(
  answer: Response,
  change: (body: Json) => unknown,
): Promise<Response> {
  const body = JSON.stringify(change(recordIn(await answer.json())));
  return new Response(body, { status: answer.status, headers: answer.headers });
}

export function withStatus(answer: Response, status: number): Response {
  const { headers } = answer;
  return new Response(status === 204 ? null : answer.body, { status, headers });
}

export function withHeader(answer: Response, name: string, value: string): Response {
  const headers = new Headers(answer.headers);
  headers.set(name, value);
  return new Response(answer.body, { status: answer.status, headers });
}

export function withoutHeader(answer: Response, name: string): Response {
  const headers = new Headers(answer.headers);
  headers.delete(name);
  return new Response(answer.body, { status: answer.status, headers });
}

/** An error as the service gives it, in place of another answer. */
export function errorInstead(answer: Response, code: ErrorCode, status?: number): Response {
  const { status: usual, message } = errorCatalogue[code];
  const requestId = answer.headers.get('x-request-id') ?? '';
  const headers = new Headers(answer.headers);
  headers.set('content-type', 'application/json; charset=utf-8');
  if (usual === 401) headers.set('www-authenticate', 'Bearer');
  const body = JSON.stringify({ message, code, requestId });
  return new Response(body, { status: status ?? usual, headers });
}

/** A success that nobody asked the service for. */
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

/** The first id in the path of a call. */
export function idIn({ path }: Call): string {
  return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(path)?.[0] ?? '';
}
