import { errorCatalogue, type Operation, type ValidationIssue } from '@atelier/contract';
import { z } from 'zod';
import { invalid, MockFailure } from './failure.ts';

/** A request with its whole body. */
export interface MockRequest {
  /** GET for a HEAD too. */
  readonly method: string;
  readonly isHead: boolean;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** The validated input of a request. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Validates the input of an operation. @throws MockFailure the same errors as the service */
export function inputOf(
  { endpoint }: Operation,
  request: MockRequest,
  params: Input['params'],
): Input {
  const issues: ValidationIssue[] = [];
  const parse = (where: ValidationIssue['in'], schema: unknown, value: unknown): unknown => {
    if (!(schema instanceof z.ZodType)) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    issues.push(...parsed.error.issues.map((issue) => issueOf(where, issue, value)));
    return undefined;
  };
  parse('path', endpoint.pathParams, params);
  parse('headers', z.looseObject(endpoint.headers), request.headers);
  const query = parse('query', endpoint.query, queryOf(request.url));
  const body = parse('body', endpoint.body, bodyOf(endpoint.metadata, request));
  if (issues.length > 0)
    throw new MockFailure('validation_failed', { errors: issues.slice(0, 50) });
  return { params, query: (query ?? {}) as Input['query'], body };
}

function queryOf(url: URL): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(url.searchParams.keys())].map((name) => {
      const [first = '', ...others] = url.searchParams.getAll(name);
      return [name, others.length > 0 ? [first, ...others] : first];
    }),
  );
}

function bodyOf(metadata: Operation['endpoint']['metadata'], request: MockRequest): unknown {
  if (request.method === 'GET' || request.body.length === 0) return undefined;
  if (request.body.length > metadata.bodyLimitBytes && !metadata.toleratesAnyBody) {
    throw new MockFailure('body_too_large');
  }
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
  if (!isJson && !metadata.toleratesAnyBody) throw new MockFailure('unsupported_media_type');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(request.body);
    const parsed: unknown = JSON.parse(text);
    if (depthOf(parsed) > maxDepth) throw new MockFailure('malformed_json');
    return parsed;
  } catch {
    if (metadata.toleratesAnyBody) return undefined;
    throw new MockFailure('malformed_json');
  }
}

/** As the service limits it. */
const maxDepth = 64;

function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0) {
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
    depth += 1;
  }
  return depth - 1;
}

function issueOf(
  where: ValidationIssue['in'],
  { path, code, message }: z.core.$ZodIssue,
  input: unknown,
): ValidationIssue {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)));
  const found = steps.reduce<unknown>(
    (value, step) => (value as Record<string | number, unknown> | null | undefined)?.[step],
    input,
  );
  const isMissing = code === 'invalid_type' && found === undefined;
  return {
    in: where,
    path: steps,
    code: isMissing ? 'required' : code,
    message: isMissing ? message.replace(/^Invalid input/, 'Required') : message,
  };
}

/** Returns the error that `Prefer: code=…` requests by code or status; null without the header. */
export function preferredFailure({ id, endpoint }: Operation, request: MockRequest) {
  const wanted = /(?:^|[,;]\s*)code="?([\w]+)"?/.exec(request.headers['prefer'] ?? '')?.[1];
  if (wanted === undefined) return null;
  const success = String(endpoint.metadata.success.status);
  if (wanted === success) return null;
  const code = endpoint.metadata.errors.find(
    (one) => one === wanted || String(errorCatalogue[one].status) === wanted,
  );
  if (!code) throw invalid('headers', 'prefer', `${id} never responds with ${wanted}`);
  return new MockFailure(code, { headers: { 'preference-applied': `code=${wanted}` } });
}
