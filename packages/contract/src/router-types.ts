import type { z } from 'zod/v4';
import type { Access } from './access.ts';
import type { ConfirmationNeed, EndpointSpec } from './endpoint-spec.ts';
import type { ErrorBody } from './error-body.ts';
import type { ErrorCode, StatusOf } from './errors.ts';
import type { PermissionOfSessions } from './scopes.ts';

// ts-rest's own declarations are not imported: they name types of zod 3, so that a project with zod 4 could
// not check them.

/** An endless body: a schema to type checkers, and a body with a media type to ts-rest. */
export interface StreamBody {
  readonly contentType: 'text/event-stream';
  readonly body: z.ZodUnknown;
  readonly '~standard': z.ZodUnknown['~standard'];
}

/** The schema of the errors with a status; null in {@link ResponsesOf} stands for no body. */
export type ErrorSchema<Code extends ErrorCode> = z.ZodType<
  Omit<ErrorBody, 'code'> & { code: Code }
>;

/** The schemas of the bodies by status. */
export type ResponsesOf<Spec extends EndpointSpec> = EndpointSpec extends Spec
  ? Readonly<Record<number, z.ZodType | StreamBody | null>>
  : { readonly [Status in Spec['success']['status']]: SuccessBodyOf<Spec['success']> } & {
      readonly [Status in StatusOf<CodeOf<Spec>>]: ErrorSchema<CodeWith<Status, CodeOf<Spec>>>;
    } & (Spec extends { etag: true } ? { readonly 304: null } : unknown);

type SuccessBodyOf<Declared extends EndpointSpec['success']> = Declared extends { isStream: true }
  ? StreamBody
  : Declared['body'];

type CodeWith<Status, Code extends ErrorCode> = Code extends ErrorCode
  ? StatusOf<Code> extends Status
    ? Code
    : never
  : never;

/** The codes that `endpoint` derives from a declaration, as a type. */
type CodeOf<Spec extends EndpointSpec> = Spec extends { toleratesAnyBody: true }
  ? 'internal_error' | 'service_unavailable'
  :
      | 'validation_failed'
      | 'malformed_request'
      | 'internal_error'
      | 'service_unavailable'
      | (Spec extends RefusesKeys
          ? Exclude<AccessCode<Spec['access']>, 'organization_required'>
          : AccessCode<Spec['access']>)
      | KeyCode<Spec>
      | (Spec extends { confirmation: ConfirmationNeed } ? 'confirmation_required' : never)
      | (Spec extends { errors: readonly (infer Own extends ErrorCode)[] } ? Own : never)
      | (Spec['method'] extends 'GET' ? never : BodyCode)
      | (Spec extends { idempotent: true }
          ? 'idempotency_in_flight' | 'idempotency_key_reused'
          : never)
      | (Spec extends { ifMatch: true } ? 'precondition_failed' : never)
      | (Spec extends { rateLimit: 'none' } ? never : 'rate_limited');

type BodyCode = 'malformed_json' | 'body_too_large' | 'unsupported_media_type';

type AccessCode<Declared extends Access> = Declared extends { kind: 'public' }
  ? never
  : Declared extends { kind: 'user' }
    ? 'unauthenticated'
    : Declared extends { kind: 'share' }
      ? 'unauthenticated' | 'share_not_found'
      : Declared extends { kind: 'administrator' }
        ?
            | 'unauthenticated'
            | 'organization_required'
            | 'organization_access_denied'
            | 'second_factor_enrollment_required'
            | 'not_admin'
        : Declared extends { organizationFrom: 'path' }
          ?
              | 'unauthenticated'
              | 'not_found'
              | 'second_factor_enrollment_required'
              | 'permission_denied'
          :
              | 'unauthenticated'
              | 'organization_required'
              | 'organization_access_denied'
              | 'second_factor_enrollment_required'
              | 'permission_denied';

type RefusesKeys = { keys: 'refused' } | { access: { permission: PermissionOfSessions } };

type KeyCode<Spec extends EndpointSpec> = Spec['access'] extends { kind: 'public' | 'share' }
  ? never
  : Spec extends { keys: 'any' }
    ? never
    : Spec extends RefusesKeys
      ? 'key_refused'
      : 'scope_missing';

type Header = z.ZodOptional<z.ZodString>;

/** The schemas of the request headers by name, in lower case. */
export type HeadersOf<Spec extends EndpointSpec> = EndpointSpec extends Spec
  ? Readonly<Record<string, z.ZodType>>
  : NamedHeaders<HeaderName<Spec>>;

type NamedHeaders<Name extends string> = { readonly [Key in Name]: Header };

type HeaderName<Spec extends EndpointSpec> =
  | (Spec['access'] extends { kind: 'administrator' } | { organizationFrom: 'header' }
      ? 'x-organization-id'
      : never)
  | (Spec extends { idempotent: true } | { secretKey: true } ? 'idempotency-key' : never)
  | (Spec extends { ifMatch: true } ? 'if-match' : never)
  | (Spec extends { etag: true } ? 'if-none-match' : never)
  | (Spec['success'] extends { isStream: true } ? 'last-event-id' : never);
