import { operations, type Operation, type OperationId } from '@atelier/contract';
import { readUntil } from './streams.ts';

/** Where the service under check answers, and where its mails can be read. */
export interface Deployment {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Answers `GET /email` with every mail, newest last. */
  readonly mailApiUrl: string | null;
}

/** What is said to an operation. */
export interface CallOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string;
  readonly token?: string;
  readonly organizationId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a stream: the event to wait for; default `ready`, the first one. */
  readonly untilEvent?: string;
}

export interface SentRequest {
  /** Null where the request is about no operation of the contract. */
  readonly operation: OperationId | null;
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly untilEvent: string;
}

export interface Answer {
  readonly request: SentRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly json: unknown;
}

/** The deployment can't be talked to. */
export class Unreachable extends Error {}

const operationById = new Map<string, Operation>(
  operations.map((operation) => [operation.id, operation]),
);

/** @throws Error when the contract has no such operation */
export function operationOf(id: OperationId): Operation {
  const operation = operationById.get(id);
  if (!operation) throw new Error(`the contract has no operation ${id}`);
  return operation;
}

/** The request that calls an operation. */
export function requestTo(id: OperationId, options: CallOptions = {}): SentRequest {
  const { method, path } = operationOf(id).endpoint;
  return requestFor(addressOf(path, options), { ...options, method, operation: id });
}

/** Any request; the contract may know nothing of it. */
export function requestFor(
  path: string,
  {
    method,
    operation = null,
    ...options
  }: CallOptions & { method: string; operation?: OperationId | null },
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

/** A path of the contract with its parameters and query filled in. */
export function addressOf(path: string, { params = {}, query = {} }: CallOptions): string {
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

const answerTimeoutMs = 60_000;

/**
 * Sends a request; redirects are not followed.
 *
 * @throws Unreachable when there is no answer within a minute
 */
export async function send({ baseUrl }: Deployment, request: SentRequest): Promise<Answer> {
  const { method, path, headers, body } = request;
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerTimeoutMs),
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
    throw new Unreachable(`${baseUrl} does not answer ${method} ${path}: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

async function textOf(response: Response, untilEvent: string): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || !type.startsWith('text/event-stream')) return response.text();
  return readUntil(response.body, untilEvent);
}

/** Undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an error says, or what caused it: `fetch` itself only says that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
