import { STATUS_CODES } from 'node:http';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { EndpointMetadata } from '../../src/endpoint.ts';
import type { Success } from '../../src/envelope.ts';
import { errorCatalogue, type ErrorCode } from '../../src/errors.ts';
import { operations } from '../../src/operations.ts';

/** Headers of answers, by the name they have among the components. */
export const headerComponents = {
  ETag: header('Names the state of the resource; for `If-Match` and `If-None-Match`.'),
  Location: header('Where the browser goes on.'),
  IdempotencyReplayed: header('`true` when this is the first answer of an `Idempotency-Key`.'),
  RetryAfter: header('Seconds to wait before the next try.'),
  RateLimit: header('What is left of the limit, and the seconds until it is full again.'),
  RateLimitPolicy: header('The limit, and its window in seconds.'),
  WwwAuthenticate: header('The scheme that is wanted: `Bearer`.'),
};

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

/** Every answer that an operation may give. */
export function responsesOf(metadata: EndpointMetadata): ZodOpenApiResponsesObject {
  const { success, etag } = metadata;
  return {
    [statusKey(success.status)]: successResponse(metadata),
    ...(etag && { '304': { description: 'The state that `If-None-Match` names is current.' } }),
    ...Object.fromEntries(
      codesByStatus(metadata.errors).map(([status, codes]) => [
        statusKey(status),
        sharedSets.has(setKey(codes))
          ? { $ref: `#/components/responses/${responseName(codes)}` }
          : errorResponse(status, codes),
      ]),
    ),
  };
}

/** Error answers that several operations give alike. */
export function sharedErrorResponses(): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    [...sharedSets.values()].map(({ status, codes }) => [
      responseName(codes),
      errorResponse(status, codes),
    ]),
  );
}

function successResponse({
  success,
  etag,
  idempotent,
}: EndpointMetadata): ZodOpenApiResponseObject {
  const own = headers({
    ETag: etag && 'ETag',
    Location: success.status === 302 && 'Location',
    'Idempotency-Replayed': idempotent && 'IdempotencyReplayed',
  });
  return {
    description: STATUS_CODES[success.status] ?? '',
    ...(Object.keys(own).length > 0 && { headers: own }),
    ...contentOf(success),
  };
}

function contentOf({ body, data, isStream }: Success) {
  if (isStream && data) return { content: { 'text/event-stream': { schema: data } } };
  return body && { content: { 'application/json': { schema: body } } };
}

function errorResponse(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const own = headers({
    'Retry-After': (status === 429 || status === 503) && 'RetryAfter',
    RateLimit: status === 429 && 'RateLimit',
    'RateLimit-Policy': status === 429 && 'RateLimitPolicy',
    'WWW-Authenticate': codes.includes('unauthenticated') && 'WwwAuthenticate',
  });
  return {
    description: whenGiven(codes),
    ...(Object.keys(own).length > 0 && { headers: own }),
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

/** Codes that most operations may answer with: explained once, in the answers that have no others. */
const generalCodes: ReadonlySet<ErrorCode> = new Set([
  'validation_failed',
  'malformed_request',
  'malformed_json',
  'idempotency_in_flight',
]);

/** What every 400 may say: no part of its name. */
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

/** Some hundred places refer to these, so the most used set of a status is named by the status alone. */
function namesOfSharedSets(): ReadonlyMap<string, string> {
  const byUse = [...sharedSets].toSorted(([, one], [, other]) => other.uses - one.uses);
  const taken = new Set<number>();
  return new Map(
    byUse.map(([key, { status, codes }]) => {
      const isMostUsed = !taken.has(status);
      taken.add(status);
      const own = codes.filter((code) => !everywhereCodes.has(code));
      return [key, isMostUsed ? String(status) : `${status}.${own.map(pascalCase).join('Or')}`];
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
