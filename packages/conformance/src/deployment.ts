import { operationById, type OperationId } from '@atelier/contract';
import { arrivalMs } from './eventually.ts';
import { readUntil } from './streams.ts';

/** Addresses of the checked service and of its mail inbox. */
export interface Deployment {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** `GET /email` lists every mail, newest last. */
  readonly mailApiUrl: string | null;
}

/** The parts of a request to an operation. */
export interface RequestOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string;
  readonly token?: string;
  readonly organizationId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a stream: the event to wait for; default `ready`, the first one. */
  readonly untilEvent?: string;
}

export interface SentRequest {
  /** Null for a request outside of the contract. */
  readonly operation: OperationId | null;
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly untilEvent: string;
}

export interface ReceivedResponse {
  readonly request: SentRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
}

/** The deployment does not respond. */
export class Unreachable extends Error {}

/** Builds the request of an operation. */
export function requestTo(id: OperationId, options: RequestOptions = {}): SentRequest {
  const { method, path } = operationById(id).endpoint;
  return requestFor(addressOf(path, options), { ...options, method, operation: id });
}

/** Builds a request, which the contract need not describe. */
export function requestFor(
  path: string,
  {
    method,
    operation = null,
    ...options
  }: RequestOptions & { method: string; operation?: OperationId | null },
): SentRequest {
  const body =
    options.rawBody ?? (options.body === undefined ? null : JSON.stringify(options.body));
  return {
    operation,
    method,
    path,
    headers: {
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      ...(options.organizationId !== undefined && { 'x-organization-id': options.organizationId }),
      ...options.headers,
    },
    body,
    untilEvent: options.untilEvent ?? 'ready',
  };
}

/** Fills in the parameters of a path of the contract and appends the query. */
export function addressOf(path: string, { params = {}, query = {} }: RequestOptions): string {
  const address = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? `:${name}`)),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      (typeof values === 'string' ? [values] : values).map((value) => [name, value]),
    ),
  );
  return search.size > 0 ? `${address}?${search.toString()}` : address;
}

/** A stream stays open until its event arrives, and that limit has to end first to tell that the event is missing. */
const responseTimeoutMs = arrivalMs + 30_000;

/**
 * Sends a request; redirects are not followed.
 *
 * @throws Unreachable when there is no response in time
 */
export async function send(
  { baseUrl }: Deployment,
  request: SentRequest,
): Promise<ReceivedResponse> {
  const { method, path, headers, body } = request;
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(responseTimeoutMs),
      ...(body !== null && { body }),
    });
    const text = await textOf(response, request.untilEvent);
    return {
      request,
      status: response.status,
      headers: response.headers,
      text,
      json: jsonIn(text),
    };
  } catch (cause) {
    throw new Unreachable(`${baseUrl} does not respond to ${method} ${path}: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

async function textOf(response: Response, untilEvent: string): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || !type.startsWith('text/event-stream')) return response.text();
  return readUntil(response.body, untilEvent);
}

/** Parses JSON; undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the message of the cause, or of the error: `fetch` itself only says that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
