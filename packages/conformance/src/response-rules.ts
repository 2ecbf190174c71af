import { ErrorBody, errorCatalogue, operationById, type ErrorCode } from '@atelier/contract';
import { z } from 'zod';
import { jsonIn, type ReceivedResponse } from './deployment.ts';
import { describeMismatch } from './mismatches.ts';
import { secretsIn } from './sent-secrets.ts';
import { messagesIn } from './streams.ts';

/** A violation of a response rule. */
export interface Violation {
  readonly rule: string;
  readonly expected: string;
  readonly actual: string;
}

type Rule = (response: ReceivedResponse) => Violation | null;

/** Applies the rules that hold for every response. Pure. */
export function violationsOf(response: ReceivedResponse): Violation[] {
  return rules.flatMap((rule) => rule(response) ?? []);
}

/** Errors before an operation is found, or that any operation may return. */
const codesOfAnyOperation: readonly ErrorCode[] = [
  'route_not_found',
  'method_not_allowed',
  'malformed_request',
  'request_timeout',
  'headers_too_large',
];

const isDeclaredStatus: Rule = ({ request, status }) => {
  if (request.operation === null || status >= 500) return null;
  const declared = Object.keys(operationById(request.operation).endpoint.responses);
  if (declared.includes(String(status))) return null;
  return violation('response.declared-status', `one of ${declared.join(', ')}`, `status ${status}`);
};

const isNoDefect: Rule = ({ status, text }) =>
  status < 500
    ? null
    : violation('response.no-server-error', 'no 5xx', `status ${status}: ${excerpt(text)}`);

const isJson: Rule = (response) => {
  const { status, headers, json, text } = response;
  if (status >= 300 && status < 400) return null;
  const type = headers.get('content-type') ?? 'none';
  if (streamed(response) !== null) {
    if (/^text\/event-stream\b/i.test(type)) return null;
    return violation('response.content-type', 'text/event-stream', `content-type ${type}`);
  }
  const isDeclaredJson = /^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(type);
  if (isDeclaredJson && json !== undefined) return null;
  return violation(
    'response.content-type',
    'application/json with a JSON body',
    `content-type ${type}: ${excerpt(text)}`,
  );
};

const hasNoBodyWhereNoneIsDeclared: Rule = ({ status, text }) =>
  (status === 304 || status === 204) && text !== ''
    ? violation('response.schema', 'no body', excerpt(text))
    : null;

const matchesSchema: Rule = ({ request, status, json }) => {
  if (request.operation === null || status >= 400) return null;
  const { success } = operationById(request.operation).endpoint.metadata;
  if (status !== success.status || !success.body) return null;
  const parsed = success.body.safeParse(json);
  if (parsed.success) return null;
  return { rule: 'response.schema', ...describeMismatch(parsed.error, json) };
};

/** Expects the text of the contract; its schema takes any. */
const hasDeclaredMessage: Rule = ({ request, status, json }) => {
  if (request.operation === null) return null;
  const { success } = operationById(request.operation).endpoint.metadata;
  if (status !== success.status || success.message === null || !isRecord(json)) return null;
  const { message } = json;
  if (typeof message !== 'string' || message === success.message) return null;
  return violation(
    'response.envelope-text',
    `message ${JSON.stringify(success.message)}`,
    `message ${JSON.stringify(message)}`,
  );
};

/** Expects only messages of the contract in a stream. */
const streamsKnownMessages: Rule = (response) => {
  const schema = streamed(response);
  if (schema === null) return null;
  const wrong = messagesIn(response.text).find(
    ({ event, data }) => !schema.safeParse({ event, data: jsonIn(data) }).success,
  );
  if (wrong === undefined) return null;
  return violation(
    'response.stream-message',
    'messages of the contract',
    excerpt(`${wrong.event}: ${wrong.data}`),
  );
};

/** Returns the schema of the messages; null unless the response is a stream. */
function streamed({ request, status }: ReceivedResponse): z.ZodType | null {
  if (request.operation === null) return null;
  const { success } = operationById(request.operation).endpoint.metadata;
  return success.isStream && status === success.status ? success.data : null;
}

const omitsMessageWhereDeclared: Rule = ({ request, status, json }) => {
  if (request.operation === null) return null;
  const { success } = operationById(request.operation).endpoint.metadata;
  if (status !== success.status || !success.body || !isRecord(json)) return null;
  const extra = [
    ...(success.message === null && 'message' in json ? ['message'] : []),
    ...(success.data === null && 'data' in json ? ['data'] : []),
  ];
  if (extra.length === 0) return null;
  return violation(
    'response.envelope',
    `no ${extra.join(' and no ')}`,
    `it has ${extra.join(', ')}`,
  );
};

const hasErrorShape: Rule = ({ status, json }) => {
  if (status < 400) return null;
  const parsed = z.looseObject(ErrorBody.shape).safeParse(json);
  if (!parsed.success) {
    const codeAlone = parsed.error.issues.every(({ path }) => path.join('.') === 'code');
    return violation(
      codeAlone ? 'response.error-code' : 'response.error-shape',
      codeAlone ? 'a code of the catalogue' : '{ message, code, requestId, errors? }',
      issuesIn(parsed.error, json),
    );
  }
  const unknown = Object.keys(parsed.data).filter((name) => !(name in ErrorBody.shape));
  if (unknown.length === 0) return null;
  return violation(
    'response.error-shape',
    '{ message, code, requestId, errors? } and nothing more',
    `also ${unknown.join(', ')}`,
  );
};

const hasDeclaredCode: Rule = ({ request, status, json }) => {
  const error = ErrorBody.safeParse(json);
  if (status < 400 || !error.success) return null;
  const { code } = error.data;
  if (errorCatalogue[code].status !== status) {
    return violation(
      'response.error-code',
      `status ${errorCatalogue[code].status} for ${code}`,
      `status ${status}`,
    );
  }
  if (request.operation === null || codesOfAnyOperation.includes(code)) return null;
  const { errors } = operationById(request.operation).endpoint.metadata;
  if (errors.includes(code)) return null;
  return violation('response.error-code', `one of ${errors.join(', ')}`, code);
};

const isTraceable: Rule = ({ request, headers, status, json }) => {
  const id = headers.get('x-request-id');
  if (!id) return violation('response.request-id', 'an x-request-id', 'none');
  const wanted = request.headers['x-request-id'];
  if (wanted !== undefined && id !== wanted) {
    return violation('response.request-id', `x-request-id ${wanted}, as sent`, id);
  }
  const error = ErrorBody.safeParse(json);
  // A replayed response is the first one, with the id of the first request.
  if (headers.get('idempotency-replayed') === 'true') return null;
  if (status >= 400 && error.success && error.data.requestId !== id) {
    return violation('response.request-id', `requestId ${id}, as in the header`, 'another');
  }
  return null;
};

const isNotCached: Rule = ({ headers }) => {
  const control = headers.get('cache-control') ?? 'none';
  if (/\bno-store\b/i.test(control)) return null;
  return violation('response.cache-control', 'cache-control: no-store', control);
};

const challenges: Rule = ({ status, headers }) => {
  if (status !== 401 || /^Bearer\b/i.test(headers.get('www-authenticate') ?? '')) return null;
  return violation(
    'response.www-authenticate',
    'www-authenticate: Bearer on 401',
    headers.get('www-authenticate') ?? 'none',
  );
};

const saysWhenToRetry: Rule = ({ status, headers }) => {
  if (status !== 429 || /^\d+$/.test(headers.get('retry-after') ?? '')) return null;
  return violation(
    'response.retry-after',
    'retry-after in seconds on 429',
    headers.get('retry-after') ?? 'none',
  );
};

const hasETag: Rule = ({ request, status, headers }) => {
  if (request.operation === null || (status !== 200 && status !== 304)) return null;
  if (!operationById(request.operation).endpoint.metadata.etag) return null;
  const eTag = headers.get('etag') ?? 'none';
  if (/^(W\/)?"[\x21\x23-\x7e]*"$/.test(eTag)) return null;
  return violation('response.etag', 'an ETag', eTag);
};

/** Field names that no response has, at any depth, unless it declares to show a new secret. */
const secretNames = /^(password(hash)?|tokenhash|secret|jwtsecret|envelopekey|stack|sql|rank)$/i;
const internals =
  /(\n\s+at .+:\d+:\d+|node_modules\/|\b(select|insert into|update) .+ (from|values|set) |ECONNREFUSED|postgres(ql)?:\/\/|drizzle)/i;

const keepsSecrets: Rule = ({ request, status, json, text }) => {
  const shown = shownSecrets(request.operation, status);
  const found = namesIn(json).find((name) => secretNames.test(name) && !shown.includes(name));
  if (found !== undefined) {
    return violation('response.no-secret', 'no secret field', `a field ${found}`);
  }
  if (status < 400) return null;
  const parts = [text, ...textsIn(json)];
  const inside = parts.map((part) => internals.exec(part)?.[0]).find(Boolean);
  if (inside !== undefined) {
    return violation('response.no-secret', 'an error without internals', excerpt(inside));
  }
  const leaked = secretsSent(request.headers['authorization'], request.body).find((secret) =>
    parts.some((part) => part.includes(secret)),
  );
  if (leaked === undefined) return null;
  return violation('response.no-secret', 'an error that does not repeat a secret', 'it does');
};

const rules: readonly Rule[] = [
  isNoDefect,
  isDeclaredStatus,
  isJson,
  hasNoBodyWhereNoneIsDeclared,
  matchesSchema,
  hasDeclaredMessage,
  streamsKnownMessages,
  omitsMessageWhereDeclared,
  hasErrorShape,
  hasDeclaredCode,
  isTraceable,
  isNotCached,
  challenges,
  saysWhenToRetry,
  hasETag,
  keepsSecrets,
];

function violation(rule: string, expected: string, actual: string): Violation {
  return { rule, expected, actual };
}

/** Returns the fields of a response that show a new secret, once. */
function shownSecrets(id: ReceivedResponse['request']['operation'], status: number): string[] {
  if (id === null) return [];
  const { success, responseExpires, secretResponse } = operationById(id).endpoint.metadata;
  const { data } = success;
  if (status !== success.status || !(data instanceof z.ZodObject)) return [];
  if (!responseExpires && !secretResponse) return [];
  return Object.keys(data.shape).filter((name) => secretNames.test(name));
}

function secretsSent(authorization: string | undefined, body: string | null): string[] {
  const token = authorization?.replace(/^\S+ /, '') ?? '';
  return [token, ...secretsIn(body ?? '')].filter((secret) => secret.length >= 8);
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => [name, ...namesIn(child)]);
}

/** Returns every text, without the escapes of JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

function issuesIn(error: z.ZodError, json: unknown): string {
  if (json === undefined) return 'not JSON';
  const [first, ...others] = error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the body'}: ${message}`,
  );
  return others.length > 0 ? `${first} (and ${others.length} more)` : String(first);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
