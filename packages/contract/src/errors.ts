import { z } from 'zod';

/**
 * Every error the service can answer with: a stable code, its HTTP status, the text people read,
 * and when it is given. Clients branch on `code`; `message` may be reworded within a major version
 * except where the specification fixes it.
 */
export const errorCatalogue = {
  validation_failed: {
    status: 400,
    message: 'The request is not valid',
    when: 'A path, query, header or body value breaks the contract; `errors` names each one.',
  },
  malformed_json: {
    status: 400,
    message: 'The body is not valid JSON',
    when: 'The body cannot be parsed, is not UTF-8, or is nested more than 64 levels deep.',
  },
  malformed_request: {
    status: 400,
    message: 'The request could not be read',
    when: 'The URL, its percent-encoding, or the HTTP message itself is malformed.',
  },
  invalid_credentials: {
    status: 400,
    message: 'Invalid email and or password',
    when: 'Login with an unknown email or a wrong password; the two are indistinguishable.',
  },
  account_pending: {
    status: 400,
    message: 'Please verify your email before logging in',
    when: 'Login with the right password of an account whose email is not verified yet.',
  },
  account_suspended: {
    status: 400,
    message: 'Your account has been suspended',
    when: 'Login with the right password of a suspended account.',
  },
  invalid_or_expired_token: {
    status: 400,
    message: 'Invalid or expired token',
    when: 'A mailed token is unknown, used, superseded, expired, or meant for something else.',
  },
  publish_target_required: {
    status: 400,
    message: 'Select the team organization to publish into with the x-organization-id header',
    when: 'Publishing without naming a TEAM organization.',
  },
  upload_mismatch: {
    status: 400,
    message: 'The upload does not match what was initiated',
    when: 'uploadId, key, collectionId or contentType differ from the initiated upload, or it is not yours.',
  },
  upload_not_active: {
    status: 400,
    message: 'The upload was aborted or has expired; initiate a new one',
    when: 'Completing or resuming an upload that was aborted or whose time ran out.',
  },
  upload_part_invalid: {
    status: 400,
    message: 'A part is missing or its ETag does not match',
    when: 'A listed part was never stored or has another ETag. The upload can still be completed.',
  },
  upload_part_too_small: {
    status: 400,
    message: 'Every part but the last must have at least 5 MiB',
    when: 'A part other than the last is too small. The upload can still be completed.',
  },
  upload_size_mismatch: {
    status: 400,
    message: 'The parts do not add up to the declared file size',
    when: 'The listed parts hold more or fewer bytes than `fileSize`. The upload can still be completed.',
  },
  avatar_invalid: {
    status: 400,
    message: 'The avatar must be a PNG, JPEG or WebP picture of at most 5 MiB',
    when: 'The uploaded object is missing, too large, or not the picture it claims to be.',
  },
  confirmation_mismatch: {
    status: 400,
    message: 'The confirmation is not the name of the organization',
    when: 'Deleting an organization without typing its exact name.',
  },
  assignee_not_member: {
    status: 400,
    message: 'Only active members of the organization can be assigned',
    when: 'An assignee is unknown, suspended, or not a member of the organization of the task.',
  },
  unauthenticated: {
    status: 401,
    message: 'Authentication required',
    when: 'The bearer token is missing, malformed, expired, of another type, or its session has ended.',
  },
  access_denied: {
    status: 401,
    message: 'Access denied',
    when: 'Refreshing with a token that is expired, unknown or revoked; the three are indistinguishable.',
  },
  invalid_or_expired_code: {
    status: 401,
    message: 'Invalid or expired code',
    when: 'Exchanging a sign-in code that is expired, used or tampered with.',
  },
  organization_access_denied: {
    status: 403,
    message: 'You have no access to this organization',
    when: 'x-organization-id names an organization that is unknown or where you are no active member.',
  },
  permission_denied: {
    status: 403,
    message: 'Your role does not allow this',
    when: 'You are a member, but your role lacks the right.',
  },
  not_admin: {
    status: 403,
    message: 'Administrators only',
    when: 'The operation needs a platform administrator, or an owner or admin of the selected team.',
  },
  invitation_email_mismatch: {
    status: 403,
    message: 'This invitation was sent to another email address',
    when: 'Accepting an invitation with an account of another email.',
  },
  not_found: {
    status: 404,
    message: 'Not found',
    when: 'The resource does not exist, was deleted, or belongs to another organization.',
  },
  route_not_found: {
    status: 404,
    message: 'There is no such endpoint',
    when: 'No operation of the contract has this path.',
  },
  provider_not_configured: {
    status: 404,
    message: 'This sign-in provider is not configured',
    when: 'The service runs without credentials of this provider.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This endpoint does not support the method',
    when: 'The path exists with other methods; `Allow` lists them.',
  },
  request_timeout: {
    status: 408,
    message: 'The request took too long to arrive',
    when: 'Headers or body were not received in time.',
  },
  conflict: {
    status: 409,
    message: 'The resource changed in the meantime; read it again',
    when: 'Two changes met; nothing of yours was stored.',
  },
  idempotency_in_flight: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being processed',
    when: 'The first call with the key has not been answered yet.',
  },
  plan_limit_reached: {
    status: 409,
    message: 'The limit of the plan is reached',
    when: 'The change would exceed a limit of the plan; the message names the limit.',
  },
  too_many_open_uploads: {
    status: 409,
    message: 'Too many of your uploads are open; complete or abort some',
    when: 'Initiating an upload while as many as allowed are neither completed nor aborted.',
  },
  public_links_forbidden: {
    status: 409,
    message: 'The organization forbids public links',
    when: 'Switching the public link of an asset on where `publicLinks` is FORBIDDEN.',
  },
  collection_has_others_assets: {
    status: 409,
    message: 'The collection holds assets of others',
    when: 'Deleting or restoring a collection with assets that the caller may not delete or restore; the message says how many.',
  },
  last_owner: {
    status: 409,
    message: 'An organization needs at least one active owner',
    when: 'Removing, demoting or suspending the last active owner.',
  },
  personal_organization: {
    status: 409,
    message: 'A personal organization cannot do this',
    when: 'Inviting into, leaving or deleting a PERSONAL organization, or changing its `publicLinks`.',
  },
  already_member: {
    status: 409,
    message: 'This person is already a member',
    when: 'Inviting or accepting for somebody who is a member.',
  },
  already_published: {
    status: 409,
    message: 'This version is already published there',
    when: 'Publishing an asset again without a change.',
  },
  upload_already_completed: {
    status: 409,
    message: 'The upload is already completed',
    when: 'Aborting or resuming an upload that has become an asset.',
  },
  collection_deleted: {
    status: 409,
    message: 'Its collection is in the bin; restore that first',
    when: 'Restoring an asset whose collection was deleted.',
  },
  project_archived: {
    status: 409,
    message: 'The project is archived',
    when: 'Adding tasks to an archived project.',
  },
  invitation_gone: {
    status: 410,
    message: 'This invitation is no longer valid',
    when: 'The invitation was accepted, revoked or has expired, a newer mail replaced its link, or its organization was deleted.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed since you read it',
    when: 'If-Match names another state than the current one.',
  },
  body_too_large: {
    status: 413,
    message: 'The body is too large',
    when: 'The body exceeds the limit of the operation.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json',
    when: 'A body of another media type.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another request',
    when: 'The key is known with another payload.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests; try again later',
    when: 'A limit is exhausted; `Retry-After` says for how long, in seconds.',
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are too large',
    when: 'Request line and headers exceed 16 KiB.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side',
    when: 'A defect. `requestId` finds it in the logs.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable; try again',
    when: 'The database is away, or the process is shutting down or overloaded.',
  },
  storage_unavailable: {
    status: 503,
    message: 'The file storage is temporarily unavailable; try again',
    when: 'The object storage is away. Nothing was half-saved.',
  },
} as const satisfies Record<string, ErrorDefinition>;

interface ErrorDefinition {
  /** HTTP status. */
  status: number;
  /** What people read. */
  message: string;
  /** The condition, for the documentation. */
  when: string;
}

/** A stable, snake_case member of {@link errorCatalogue}. */
export type ErrorCode = keyof typeof errorCatalogue;

/** The HTTP statuses a list of codes leads to. */
export type StatusOf<Code extends ErrorCode> = (typeof errorCatalogue)[Code]['status'];

export const ValidationIssue = z
  .object({
    in: z.enum(['body', 'query', 'path', 'headers']),
    path: z.array(z.union([z.string(), z.number()])),
    code: z.string(),
    message: z.string(),
  })
  .meta({
    id: 'ValidationIssue',
    description: 'One value that breaks the contract: where it is, what is wrong, what is wanted.',
    examples: [
      { in: 'body', path: ['email'], code: 'invalid_format', message: 'Invalid email address' },
    ],
  });
export type ValidationIssue = z.infer<typeof ValidationIssue>;

export const ErrorBody = z
  .object({
    message: z.string(),
    code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    errors: z.array(ValidationIssue).optional(),
  })
  .meta({
    id: 'ErrorBody',
    description:
      'The one shape of every error. `code` is stable, `message` is for people, `errors` is there on validation errors.',
    examples: [{ message: 'Not found', code: 'not_found', requestId: 'req_01h9x3' }],
  });
export type ErrorBody = z.infer<typeof ErrorBody>;
