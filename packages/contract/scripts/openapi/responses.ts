import { STATUS_CODES } from 'node:http';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { EndpointMetadata } from '../../src/endpoint.ts';
import type { Success } from '../../src/envelope.ts';
import { errorCatalogue, type ErrorCode } from '../../src/errors.ts';
import { operations } from '../../src/operations.ts';

/** Response headers by the name of their component. */
export const headerComponents = {
  ETag: header('Identifies the state of the resource; for `If-Match` and `If-None-Match`.'),
  Location: header('Where the browser is redirected to.'),
  IdempotencyReplayed: header('`true` if this is the stored response of an `Idempotency-Key`.'),
  RetryAfter: header('Seconds to wait before the next attempt.'),
  RateLimit: header('The remaining requests, and the seconds until the limit resets.'),
  RateLimitPolicy: header('The limit and its window in seconds.'),
  WwwAuthenticate: header('The required scheme: `Bearer`.'),
  RequestId: header('Identifies the request in logs; your own if it is valid.'),
  CacheControl: header('`no-store`: responses are private.'),
};

/** Headers of every response. */
const commonHeaders = { 'x-request-id': 'RequestId', 'cache-control': 'CacheControl' } as const;

type HeaderComponent = keyof typeof headerComponents;

function header(description: string) {
  return { description, schema: { type: 'string' as const } };
}

function headers(named: Partial<Record<string, HeaderComponent | false>>) {
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, component]) =>
      component ? [[name, { $ref: `#/components/headers/${component}` }]] : [],
    ),
  );
}

/** Returns every response of an operation. */
export function responsesOf(metadata: EndpointMetadata): ZodOpenApiResponsesObject {
  const { success, etag } = metadata;
  return {
    [statusKey(success.status)]:
      success.status === 302
        ? { $ref: '#/components/responses/Redirect' }
        : successResponse(metadata),
    ...(etag && { '304': { $ref: '#/components/responses/NotModified' } }),
    ...Object.fromEntries(
      codesByStatus(metadata.errors).map(([status, codes]) => [
        statusKey(status),
        sharedSets.has(setKey(codes))
          ? { $ref: `#/components/responses/${responseName(codes)}` }
          : errorResponse(status, codes),
      ]),
    ),
    // Tools expect an error of the client of each operation; generators don't compile with `4XX`.
    ...(success.status === 302 && { default: { $ref: '#/components/responses/EarlyError' } }),
    ...(metadata.toleratesAnyBody && { '431': { $ref: '#/components/responses/EarlyError' } }),
  };
}

/** Returns the responses that several operations share. */
export function sharedResponses(): Record<string, ZodOpenApiResponseObject> {
  const errors = Object.fromEntries(
    [...sharedSets.values()].map(({ status, codes }) => [
      responseName(codes),
      errorResponse(status, codes),
    ]),
  );
  return { Redirect: redirect, NotModified: notModified, EarlyError: earlyError, ...errors };
}

const redirect: ZodOpenApiResponseObject = {
  description: STATUS_CODES[302] ?? '',
  headers: headers({ Location: 'Location', ...commonHeaders }),
};

const notModified: ZodOpenApiResponseObject = {
  description: 'The ETag in `If-None-Match` is current.',
  headers: headers({ ETag: 'ETag', ...commonHeaders }),
};

const earlyError: ZodOpenApiResponseObject = {
  description: 'The request could not be read: `request_timeout`, `headers_too_large`.',
  headers: headers(commonHeaders),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
};

/** Data whose `ETag` is known: of a read that has one, or of a change under `If-Match`. */
const tagged: ReadonlySet<unknown> = new Set(
  operations
    .filter(
      ({ endpoint: { metadata, method } }) =>
        metadata.etag || (metadata.ifMatch && method !== 'DELETE'),
    )
    .map(({ endpoint }) => endpoint.metadata.success.data),
);

function successResponse({ success, idempotent }: EndpointMetadata): ZodOpenApiResponseObject {
  return {
    description: STATUS_CODES[success.status] ?? '',
    headers: headers({
      ETag: success.data !== null && tagged.has(success.data) && 'ETag',
      'Idempotency-Replayed': idempotent && 'IdempotencyReplayed',
      ...commonHeaders,
    }),
    ...contentOf(success),
  };
}

function contentOf({ body, data, isStream }: Success) {
  if (isStream && data) return { content: { 'text/event-stream': { schema: data } } };
  return body && { content: { 'application/json': { schema: body } } };
}

function errorResponse(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const sent = headers({
    ...commonHeaders,
    'Retry-After': (status === 429 || status === 503) && 'RetryAfter',
    RateLimit: status === 429 && 'RateLimit',
    'RateLimit-Policy': status === 429 && 'RateLimitPolicy',
    'WWW-Authenticate': status === 401 && 'WwwAuthenticate',
  });
  return {
    description: whenGiven(codes),
    headers: sent,
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorBody' },
            { properties: { code: { enum: [...codes] } } },
          ],
        },
      },
    },
  };
}

/** Codes of most operations: explained only in responses that have no others. */
const generalCodes: ReadonlySet<ErrorCode> = new Set([
  'validation_failed',
  'malformed_request',
  'malformed_json',
  'idempotency_in_flight',
]);

/** Codes of every 400; they are not part of its name. */
const everywhereCodes: ReadonlySet<ErrorCode> = new Set(['validation_failed', 'malformed_request']);

function whenGiven(codes: readonly ErrorCode[]): string {
  const particular = codes.filter((code) => !generalCodes.has(code));
  const explained = particular.length === 0 ? codes : particular;
  const others = codes.filter((code) => !explained.includes(code)).map((code) => `\`${code}\``);
  return [
    ...explained.map((code) => `\`${code}\`: ${errorCatalogue[code].when}`),
    ...(others.length > 0 ? [`Also ${others.join(', ')}.`] : []),
  ].join('\n\n');
}

function codesByStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  return [...Map.groupBy(codes, (code) => errorCatalogue[code].status)].toSorted(
    ([one], [other]) => one - other,
  );
}

const sharedSets = setsOfSeveralOperations();
const names = namesOfSharedSets();

function setsOfSeveralOperations() {
  const sets = operations.flatMap(({ endpoint }) =>
    codesByStatus(endpoint.metadata.errors).map(([status, codes]) => ({ status, codes })),
  );
  return new Map(
    [...Map.groupBy(sets, ({ codes }) => setKey(codes))].flatMap(([key, [first, ...others]]) =>
      first && others.length > 0 ? [[key, { ...first, uses: 1 + others.length }]] : [],
    ),
  );
}

function setKey(codes: readonly ErrorCode[]): string {
  return codes.join(' ');
}

/** The most used set of a status is named by the status alone, because it is referenced a hundred times. */
function namesOfSharedSets(): ReadonlyMap<string, string> {
  const byUse = [...sharedSets].toSorted(([, one], [, other]) => other.uses - one.uses);
  const taken = new Set<number>();
  return new Map(
    byUse.map(([key, { status, codes }]) => {
      const isMostUsed = !taken.has(status);
      taken.add(status);
      const own = codes.filter((code) => !everywhereCodes.has(code));
      const named = own.length > 0 ? own : codes;
      return [key, `Error${status}${isMostUsed ? '' : named.map(pascalCase).join('Or')}`];
    }),
  );
}

function responseName(codes: readonly ErrorCode[]): string {
  return names.get(setKey(codes)) ?? '';
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function statusKey(status: number): `${1 | 2 | 3 | 4 | 5}${string}` {
  // Every declared status is one of HTTP.
  return String(status) as `${1 | 2 | 3 | 4 | 5}${string}`;
}
