import { S3Error } from './errors.ts';
import type { HeaderMap } from './headers.ts';
import type { CorsRule } from './records.ts';

const exposedByDefault = [
  'ETag',
  'Content-Range',
  'Content-Length',
  'Content-Disposition',
  'Content-Encoding',
  'Accept-Ranges',
  'Last-Modified',
  'Date',
  'x-amz-*',
];

/** Returns the policy of a bucket without own rules: every request of these origins. */
export function openPolicy(allowedOrigins: readonly string[]): CorsRule[] {
  return [
    {
      allowedOrigins: [...allowedOrigins],
      allowedMethods: ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'],
      allowedHeaders: ['*'],
      exposeHeaders: exposedByDefault,
      maxAgeSeconds: 3000,
    },
  ];
}

export interface CorsQuestion {
  method: string;
  headers: HeaderMap;
  /** The response headers, to list those that match `x-amz-*`: browsers do not support such wildcards. */
  responseHeaderNames: readonly string[];
}

/** Returns the CORS headers of a response or error; only `vary` if no rule allows the origin. */
export function corsHeaders(
  rules: readonly CorsRule[],
  question: CorsQuestion,
): Record<string, string> {
  const { method, headers, responseHeaderNames } = question;
  const [origin] = headers.all('origin');
  const rule = origin === undefined ? undefined : findRule(rules, { origin, method, headers: [] });
  if (origin === undefined || rule === undefined) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    ...originHeaders(rule, origin),
    ...exposeHeader(rule, responseHeaderNames),
  };
}

/**
 * Returns the response headers of a preflight.
 *
 * @throws S3Error `BadRequest` for missing headers, `AccessForbidden` when no rule allows it
 */
export function preflightHeaders(
  rules: readonly CorsRule[],
  headers: HeaderMap,
): Record<string, string> {
  const origin = headers.get('origin');
  const method = headers.get('access-control-request-method');
  if (origin === undefined || method === undefined) {
    throw new S3Error('BadRequest', {
      message: 'Insufficient information. Origin and Access-Control-Request-Method are needed.',
    });
  }
  const requested = (headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name));
  const rule = findRule(rules, { origin, method, headers: requested });
  if (rule === undefined) throw new S3Error('AccessForbidden');
  return {
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
    ...originHeaders(rule, origin),
    ...exposeHeader(rule, []),
    'access-control-allow-methods': rule.allowedMethods.join(', '),
    ...(requested.length === 0 ? {} : { 'access-control-allow-headers': requested.join(', ') }),
    ...(rule.maxAgeSeconds === undefined
      ? {}
      : { 'access-control-max-age': String(rule.maxAgeSeconds) }),
  };
}

interface CrossOriginRequest {
  origin: string;
  method: string;
  headers: readonly string[];
}

function findRule(rules: readonly CorsRule[], request: CrossOriginRequest): CorsRule | undefined {
  return rules.find(
    (rule) =>
      rule.allowedMethods.includes(request.method) &&
      rule.allowedOrigins.some((pattern) => matches(pattern, request.origin)) &&
      request.headers.every((name) =>
        rule.allowedHeaders.some((pattern) => matches(pattern.toLowerCase(), name)),
      ),
  );
}

function originHeaders(rule: CorsRule, origin: string): Record<string, string> {
  if (rule.allowedOrigins.includes('*')) return { 'access-control-allow-origin': '*' };
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
}

function exposeHeader(
  rule: CorsRule,
  responseHeaderNames: readonly string[],
): Record<string, string> {
  const names = rule.exposeHeaders.flatMap((pattern) =>
    pattern.includes('*') ? responseHeaderNames.filter((name) => matches(pattern, name)) : pattern,
  );
  return names.length === 0 ? {} : { 'access-control-expose-headers': names.join(', ') };
}

function matches(pattern: string, text: string): boolean {
  const [before, after] = pattern.split('*');
  if (before === undefined || after === undefined) return pattern === text;
  return (
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after)
  );
}
