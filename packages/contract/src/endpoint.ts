import { z } from 'zod/v4';
import type { Access } from './access.ts';
import type { ActivityAction } from './activity.ts';
import { deprecationHeaders, type Deprecation } from './deprecation.ts';
import type { ConfirmationNeed, EndpointSpec, RateLimit } from './endpoint-spec.ts';
import { listRulesOf, type DeclaresList, type ListRules } from './lists.ts';
import { ErrorBody } from './error-body.ts';
import { errorCatalogue, type ErrorCode } from './errors.ts';
import { Id } from './primitives.ts';
import type { HeadersOf, ResponsesOf, StreamBody } from './router-types.ts';
import { keyUseOf, type DeclaresCredentials, type Effect, type KeyUse } from './scopes.ts';
import type { DeclaresTargets, Targets } from './targets.ts';

/** Default body limit of an operation, in bytes. */
export const defaultBodyLimitBytes = 256 * 1024;

/** The metadata of an operation, for the server, the documentation and the client generator. */
export interface EndpointMetadata<Spec extends EndpointSpec = EndpointSpec> {
  readonly access: Spec['access'];
  readonly keys: KeyUse;
  readonly effect: Effect;
  /** A field of the body with which it shows data to outsiders; null without one. */
  readonly disclosesWith: string | null;
  /** Null: it never needs a recently confirmed session. */
  readonly confirmation: ConfirmationNeed | null;
  readonly targets: Targets;
  readonly success: Spec['success'];
  readonly errors: readonly ErrorCode[];
  readonly activities: readonly ActivityAction[];
  readonly idempotent: boolean;
  readonly secretKey: boolean;
  readonly responseExpires: boolean;
  readonly secretResponse: boolean;
  readonly etag: boolean;
  readonly ifMatch: boolean;
  readonly rateLimit: RateLimit;
  readonly bodyLimitBytes: number;
  readonly toleratesAnyBody: boolean;
  /** Whether assistants may get it as a tool, if its group has a toolset. */
  readonly mayBeTool: boolean;
  readonly isAddition: boolean;
  readonly deprecated: Deprecation | null;
  /** Null for an operation that is not a list. */
  readonly list: ListRules | null;
}

/** An operation, as ts-rest has them, with everything that is derived. */
export type Endpoint<Spec extends EndpointSpec = EndpointSpec> = {
  readonly method: Spec['method'];
  readonly path: Spec['path'];
  readonly summary: string;
  readonly description: string;
  readonly headers: HeadersOf<Spec>;
  /** Null: the operation reads no body. */
  readonly body: Spec extends { body: infer Body } ? Body : null;
  readonly responses: ResponsesOf<Spec>;
  readonly metadata: EndpointMetadata<Spec>;
} & Pick<Spec, Extract<keyof Spec, 'pathParams' | 'query'>>;

const anything = z.unknown();

const stream: StreamBody = {
  contentType: 'text/event-stream',
  body: anything,
  '~standard': anything['~standard'],
};

/** Declares an operation: adds the headers, errors and responses that follow from the declaration. */
export function endpoint<const Spec extends EndpointSpec>(
  spec: Spec & DeclaresTargets<Spec> & DeclaresList<Spec> & DeclaresCredentials<Spec>,
): Endpoint<Spec>;
export function endpoint(spec: EndpointSpec): object {
  const errors = errorsOf(spec);
  const metadata: EndpointMetadata = {
    access: spec.access,
    keys: useOfKeys(spec),
    effect: spec.effect ?? 'read',
    disclosesWith: spec.disclosesWith ?? null,
    confirmation: spec.confirmation ?? null,
    targets: spec.targets ?? {},
    success: spec.success,
    errors,
    activities: typeof spec.activity === 'string' ? [spec.activity] : (spec.activity ?? []),
    idempotent: spec.idempotent ?? false,
    secretKey: spec.secretKey ?? false,
    responseExpires: spec.responseExpires ?? false,
    secretResponse: spec.secretResponse ?? false,
    etag: spec.etag ?? false,
    ifMatch: spec.ifMatch ?? false,
    rateLimit: spec.rateLimit ?? 'default',
    bodyLimitBytes: spec.bodyLimitBytes ?? defaultBodyLimitBytes,
    toleratesAnyBody: spec.toleratesAnyBody ?? false,
    mayBeTool: spec.tool ?? true,
    isAddition: spec.isAddition ?? false,
    deprecated: spec.deprecated ?? null,
    list: listRulesOf(spec.query, spec.list),
  };
  // Throws here for invalid headers, not when they are sent.
  if (spec.deprecated) deprecationHeaders(spec.deprecated);
  return {
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    description: spec.description ?? '',
    ...(spec.pathParams && { pathParams: spec.pathParams }),
    ...(spec.query && { query: spec.query }),
    headers: headersOf(spec),
    body: spec.body ?? null,
    responses: {
      [spec.success.status]: spec.success.isStream ? stream : spec.success.body,
      ...(spec.etag && { 304: null }),
      ...errorResponses(errors),
    },
    metadata,
  };
}

/** `x-organization-id`: selects the organization; default: the caller's personal one. */
const OrganizationHeader = Id.optional();

const IdempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, {
    error: 'Invalid Idempotency-Key: expected 1 to 255 printable ASCII characters',
  })
  .optional();

/** Hexadecimal digits hold 4 bits each, base64 and base64url 6; a UUID has at most 122 random ones. */
const SecretKey = z
  .string()
  .regex(/^(?:[\dA-Fa-f]{32,255}|(?=.*[^\dA-Fa-f-])[\w+/=-]{22,255})$/, {
    error:
      'Invalid Idempotency-Key: expected at least 128 random bits, as 32 to 255 hexadecimal digits or 22 to 255 characters of base64; a UUID has fewer',
  })
  .optional();

/** `*`, or entity tags separated by commas (RFC 9110, section 13.1.1). */
const entityTags = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]*"(?: *, *(?:W\/)?"[\x21\x23-\x7e]*")*)$/;

const IfMatch = z
  .string()
  .max(1024)
  .regex(entityTags, {
    error: 'Invalid If-Match: expected the ETag of the resource, with its quotes',
  })
  .optional();

/** A malformed one matches nothing, and the resource is sent. */
const IfNoneMatch = z.string().optional();

/** The `id` of the last received message; the stream resumes after it. */
const LastEventId = z.string().min(1).max(8192).optional();

function headersOf(spec: EndpointSpec): Record<string, z.ZodType> {
  const headers: Record<string, z.ZodType> = {};
  if (selectsOrganizationByHeader(spec.access)) headers['x-organization-id'] = OrganizationHeader;
  if (spec.idempotent) headers['idempotency-key'] = IdempotencyKey;
  if (spec.secretKey) headers['idempotency-key'] = SecretKey;
  if (spec.ifMatch) headers['if-match'] = IfMatch;
  if (spec.etag) headers['if-none-match'] = IfNoneMatch;
  if (spec.success.isStream) headers['last-event-id'] = LastEventId;
  return headers;
}

function selectsOrganizationByHeader(access: Access): boolean {
  return (
    access.kind === 'administrator' ||
    (access.kind === 'member' && access.organizationFrom === 'header')
  );
}

function errorsOf(spec: EndpointSpec): ErrorCode[] {
  if (spec.toleratesAnyBody) return ['internal_error', 'service_unavailable'];
  const codes = new Set<ErrorCode>([
    'validation_failed',
    'malformed_request',
    'internal_error',
    'service_unavailable',
    ...accessErrors(spec.access),
    ...credentialErrors(useOfKeys(spec)),
    ...(spec.confirmation ? (['confirmation_required'] as const) : []),
    ...(spec.errors ?? []),
  ]);
  if (spec.method !== 'GET') {
    codes.add('malformed_json').add('body_too_large').add('unsupported_media_type');
  }
  // Only a key can mean several organizations.
  if (useOfKeys(spec) === 'refused') codes.delete('organization_required');
  if (spec.idempotent) codes.add('idempotency_in_flight').add('idempotency_key_reused');
  if (spec.ifMatch) codes.add('precondition_failed');
  if (spec.rateLimit !== 'none') codes.add('rate_limited');
  return [...codes];
}

function accessErrors(access: Access): ErrorCode[] {
  switch (access.kind) {
    case 'public':
      return [];
    case 'user':
      return ['unauthenticated'];
    case 'share':
      return ['unauthenticated', 'share_not_found'];
    case 'administrator':
      return [
        'unauthenticated',
        'organization_required',
        'organization_access_denied',
        'second_factor_enrollment_required',
        'not_admin',
      ];
    case 'member':
      // 404, not 403, for a path: a 403 would tell outsiders that the organization exists.
      return access.organizationFrom === 'path'
        ? ['unauthenticated', 'not_found', 'second_factor_enrollment_required', 'permission_denied']
        : [
            'unauthenticated',
            'organization_required',
            'organization_access_denied',
            'second_factor_enrollment_required',
            'permission_denied',
          ];
  }
}

function useOfKeys({ access, keys }: EndpointSpec): KeyUse {
  return keys === undefined ? keyUseOf(access) : keys;
}

function credentialErrors(keys: KeyUse): ErrorCode[] {
  if (keys === null || keys === 'any') return [];
  return keys === 'refused' ? ['key_refused'] : ['scope_missing'];
}

function errorResponses(codes: readonly ErrorCode[]): Record<number, z.ZodType> {
  // Not Map.groupBy: the published package runs on Node 20.
  const statuses = new Set(codes.map((code) => errorCatalogue[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      errorBodyOf(codes.filter((code) => errorCatalogue[code].status === status)),
    ]),
  );
}

/** By their codes: most operations have most of their errors in common, and each schema takes kilobytes. */
const errorBodies = new Map<string, z.ZodType>();

function errorBodyOf(codes: readonly ErrorCode[]): z.ZodType {
  const name = codes.join();
  const known = errorBodies.get(name);
  if (known) return known;
  const schema = ErrorBody.extend({ code: z.enum(codes) });
  errorBodies.set(name, schema);
  return schema;
}
