import { STATUS_CODES } from 'node:http';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { EndpointMetadata } from '../../src/endpoint.ts';
import { errorCatalogue, type ErrorCode } from '../../src/errors.ts';
import { operations } from '../../src/operations.ts';

/** Headers of answers, by the name they have among the components. */
export const headerComponents = {
  XRequestId: header('Names the call in the logs of the service.'),
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
    description: success.message ?? STATUS_CODES[success.status] ?? '',
    ...(Object.keys(own).length > 0 && { headers: own }),
    ...(success.body && { content: { 'application/json': { schema: success.body } } }),
  };
}

function errorResponse(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].when}`).join('\n\n'),
    headers: headers({
      'X-Request-Id': 'XRequestId',
      'Retry-After': (status === 429 || status === 503) && 'RetryAfter',
      RateLimit: status === 429 && 'RateLimit',
      'RateLimit-Policy': status === 429 && 'RateLimitPolicy',
      'WWW-Authenticate': codes.includes('unauthenticated') && 'WwwAuthenticate',
    }),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorBody' },
            { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } },
          ],
        },
      },
    },
  };
}

function codesByStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  return [...Map.groupBy(codes, (code) => errorCatalogue[code].status)].toSorted(
    ([one], [other]) => one - other,
  );
}

const sharedSets = setsOfSeveralOperations();

function setsOfSeveralOperations() {
  const sets = operations.flatMap(({ endpoint }) =>
    codesByStatus(endpoint.metadata.errors).map(([status, codes]) => ({ status, codes })),
  );
  return new Map(
    [...Map.groupBy(sets, ({ codes }) => setKey(codes))].flatMap(([key, [first, second]]) =>
      first && second ? [[key, first]] : [],
    ),
  );
}

function setKey(codes: readonly ErrorCode[]): string {
  return codes.join(' ');
}

/** Short names of the sets that most operations have. */
const familiarSets: Partial<Record<string, string>> = {
  'validation_failed malformed_request': 'InvalidRequest',
  'validation_failed malformed_request malformed_json': 'InvalidRequestOrBody',
  'organization_access_denied permission_denied': 'AccessDenied',
};

function responseName(codes: readonly ErrorCode[]): string {
  return familiarSets[setKey(codes)] ?? codes.map(pascalCase).join('Or');
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function statusKey(status: number): `${1 | 2 | 3 | 4 | 5}${string}` {
  // Every declared status is one of HTTP.
  return String(status) as `${1 | 2 | 3 | 4 | 5}${string}`;
}
