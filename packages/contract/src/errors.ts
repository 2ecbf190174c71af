import { approvalErrors } from './approval-errors.ts';
import { coverErrors } from './cover-errors.ts';
import { shareErrors } from './share-errors.ts';
import { webhookErrors } from './webhook-errors.ts';

/**
 * Every error of the service: a stable code, its HTTP status, the message for people, and the condition.
 * Clients branch on `code`; `message` may be reworded within a major version, unless the specification has it.
 */
export const errorCatalogue = {
  validation_failed: {
    status: 400,
    message: 'The request is not valid',
    when: 'A value of the request violates the contract; `errors` lists each.',
  },
  malformed_json: {
    status: 400,
    message: 'The body is not valid JSON',
    when: 'The body is not JSON in UTF-8, or is nested more than 64 levels deep.',
  },
  malformed_request: {
    status: 400,
    message: 'The request could not be read',
    when: 'The URL, its percent-encoding, or the HTTP message is malformed.',
  },
  invalid_credentials: {
    status: 400,
    message: 'Invalid email and or password',
    when: 'Sign-in with an unknown email or a wrong password; confirmation with a wrong password.',
  },
  second_factor_required: {
    status: 400,
    message: 'Use a passkey, a code of your authenticator app, or a recovery code',
    when: 'The account needs a second factor; `errors` has the kinds.',
  },
  second_factor_invalid: {
    status: 400,
    message: 'The second factor is wrong or was used before',
    when: 'The second factor is wrong, used or expired.',
  },
  passkey_invalid: {
    status: 400,
    message: 'The passkey was not accepted; try again',
    when: 'The response of a passkey is wrong, late, used, or not for this account or purpose.',
  },
  account_pending: {
    status: 400,
    message: 'Please verify your email before logging in',
    when: 'Sign-in to an account whose email is not verified.',
  },
  account_suspended: {
    status: 400,
    message: 'Your account has been suspended',
    when: 'Sign-in to a suspended account.',
  },
  account_deletion_pending: {
    status: 400,
    message: 'Your account is about to be deleted',
    when: 'Sign-in to an account that waits for its deletion.',
  },
  invalid_or_expired_token: {
    status: 400,
    message: 'Invalid or expired token',
    when: 'An emailed token is unknown, used, expired, or for another purpose.',
  },
  publish_target_required: {
    status: 400,
    message: 'Select the team organization to publish into with the x-organization-id header',
    when: 'Publishing without a TEAM organization in the header.',
  },
  upload_mismatch: {
    status: 400,
    message: 'The upload does not match what was initiated',
    when: 'The body differs from the initiated upload, or it is not yours.',
  },
  upload_not_active: {
    status: 400,
    message:
      'The upload was aborted or has expired, or its collection or asset was deleted; initiate a new one',
    when: 'Completing or resuming an upload that was aborted or has expired, or whose collection or asset was deleted.',
  },
  upload_part_invalid: {
    status: 400,
    message: 'A part is missing or its ETag does not match',
    when: 'A listed part is not stored or has another ETag. The upload can still be completed.',
  },
  upload_part_too_small: {
    status: 400,
    message: 'Every part but the last must have at least 5,242,880 bytes',
    when: 'A part other than the last is too small. The upload can still be completed.',
  },
  upload_size_mismatch: {
    status: 400,
    message: 'The parts do not add up to the declared file size',
    when: 'The parts have more or fewer bytes than `fileSize`. The upload can still be completed.',
  },
  avatar_invalid: {
    status: 400,
    message: 'The avatar must be a PNG, JPEG or WebP picture of at most 5 MB',
    when: 'The uploaded picture is missing, too large, or not of the declared type.',
  },
  confirmation_mismatch: {
    status: 400,
    message: 'The confirmation is not the name of the organization',
    when: 'Deleting without typing the exact name or email.',
  },
  organization_required: {
    status: 400,
    message: 'Select the organization with the x-organization-id header',
    when: 'The API key reaches several organizations, none of them personal.',
  },
  search_query_invalid: {
    status: 400,
    message: 'There is nothing to search for',
    when: 'The query of a search has neither a word to look for nor a filter.',
  },
  assignee_not_member: {
    status: 400,
    message: 'Only active members of the organization can be assigned',
    when: 'An assignee is no active member of the organization.',
  },
  invalid_parent: {
    status: 400,
    message: 'The task cannot be the parent',
    when: 'The parent is the task itself, a subtask, or in another project; or a task with subtasks would become one.',
  },
  unauthenticated: {
    status: 401,
    message: 'Authentication required',
    when: 'The bearer token is missing, invalid or expired, or its session has ended.',
  },
  access_denied: {
    status: 401,
    message: 'Access denied',
    when: 'The refresh token is expired, unknown or revoked.',
  },
  invalid_or_expired_code: {
    status: 401,
    message: 'Invalid or expired code',
    when: 'Exchanging a sign-in code that is expired, used or altered.',
  },
  organization_access_denied: {
    status: 403,
    message: 'You have no access to this organization',
    when: 'You are no active member of the organization in x-organization-id.',
  },
  second_factor_enrollment_required: {
    status: 403,
    message: 'This organization requires a second factor; add one to your account',
    when: 'The organization requires a second factor, and your account has none.',
  },
  permission_denied: {
    status: 403,
    message: 'Your role does not allow this',
    when: 'Your role lacks the permission.',
  },
  scope_missing: {
    status: 403,
    message: 'Your API key lacks the scope',
    when: 'Your API key lacks the scope that the message names.',
  },
  key_refused: {
    status: 403,
    message: 'No API key may do this; sign in',
    when: 'The operation takes sessions only.',
  },
  confirmation_required: {
    status: 403,
    message: 'Confirm who you are first',
    when: 'The session was not confirmed within the last 10 minutes.',
  },
  not_admin: {
    status: 403,
    message: 'Administrators only',
    when: 'You are no administrator of the platform or of the selected team.',
  },
  invitation_email_mismatch: {
    status: 403,
    message: 'This invitation was sent to another email address',
    when: 'Accepting an invitation to another email.',
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
    when: 'The service has no credentials for this provider.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This endpoint does not support the method',
    when: 'The path exists for other methods; `Allow` lists them.',
  },
  request_timeout: {
    status: 408,
    message: 'The request took too long to arrive',
    when: 'Headers or body were not received in time.',
  },
  conflict: {
    status: 409,
    message: 'The resource changed in the meantime; read it again',
    when: 'Another change happened at the same time; yours was not stored.',
  },
  idempotency_in_flight: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being processed',
    when: 'The first request with the key has no response yet.',
  },
  plan_limit_reached: {
    status: 409,
    message: 'The limit of the plan is reached',
    when: 'The change would exceed a limit of the plan; the message says which.',
  },
  too_many_open_uploads: {
    status: 409,
    message: 'Too many of your uploads are open; complete or abort some',
    when: 'Initiating an upload beside the maximum number of others.',
  },
  public_links_forbidden: {
    status: 409,
    message: 'The organization forbids public links',
    when: 'Switching the public link of an asset on where `publicLinks` is FORBIDDEN.',
  },
  collection_has_others_assets: {
    status: 409,
    message: 'The collection holds assets of others',
    when: 'Deleting or restoring a collection with assets that the caller may not delete or restore.',
  },
  last_owner: {
    status: 409,
    message: 'An organization needs at least one active owner',
    when: 'The last active owner would go, or lose the role.',
  },
  last_sign_in_method: {
    status: 409,
    message: 'The account would have no way to sign in',
    when: 'Disconnecting the only provider, or removing the only passkey, of an account that nothing else opens.',
  },
  email_change_blocked: {
    status: 409,
    message: 'The email cannot be changed for 7 days after a change was undone',
    when: 'Requesting another email within 7 days of undoing a change.',
  },
  export_pending: {
    status: 409,
    message: 'Your last export is still being prepared',
    when: 'Requesting an export beside one that is not ready yet.',
  },
  personal_organization: {
    status: 409,
    message: 'A personal organization cannot do this',
    when: 'Inviting into, leaving, deleting or changing a PERSONAL organization.',
  },
  already_member: {
    status: 409,
    message: 'This person is already a member',
    when: 'Inviting a member, or accepting as one.',
  },
  already_published: {
    status: 409,
    message: 'This version is already published there',
    when: 'Publishing an unchanged asset again.',
  },
  upload_already_completed: {
    status: 409,
    message: 'The upload is already completed',
    when: 'Aborting or resuming a completed upload.',
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
  label_exists: {
    status: 409,
    message: 'A label with this name exists already',
    when: 'Another label has this name; upper and lower case are the same.',
  },
  too_many_labels: {
    status: 409,
    message: 'The organization has too many labels; delete some',
    when: 'Creating a label in an organization that has 100.',
  },
  too_many_subtasks: {
    status: 409,
    message: 'The task has too many subtasks',
    when: 'Adding a subtask to a task that has 100.',
  },
  too_many_task_assets: {
    status: 409,
    message: 'The task has too many files; detach some',
    when: 'Attaching an asset to a task that has 50, those in the bin included.',
  },
  too_many_api_keys: {
    status: 409,
    message: 'There are too many API keys; revoke some',
    when: 'Creating a key beside 50 usable ones, or 10 of a service account.',
  },
  too_many_passkeys: {
    status: 409,
    message: 'There are too many passkeys; remove some',
    when: 'Adding a passkey beside 10 others.',
  },
  too_many_service_accounts: {
    status: 409,
    message: 'The organization has too many service accounts; delete some',
    when: 'Creating a service account in an organization that has 25.',
  },
  api_key_ended: {
    status: 409,
    message: 'The API key has ended; create another',
    when: 'Replacing an API key that has ended.',
  },
  invitation_gone: {
    status: 410,
    message: 'This invitation is no longer valid',
    when: 'The invitation was accepted, revoked, replaced or has expired, or its organization was deleted.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed since you read it',
    when: 'If-Match does not have the current ETag.',
  },
  body_too_large: {
    status: 413,
    message: 'The body is too large',
    when: 'The body exceeds the limit of the operation.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json',
    when: 'The body has another media type.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another request',
    when: 'The key was used with another payload.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests; try again later',
    when: 'A rate limit is exceeded; `Retry-After` has the seconds to wait.',
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are too large',
    when: 'Request line and headers exceed 16,384 bytes.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side',
    when: 'A defect. Find it in the logs by `requestId`.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable; try again',
    when: 'The database is unavailable, or the process is shutting down or overloaded.',
  },
  storage_unavailable: {
    status: 503,
    message: 'The file storage is temporarily unavailable; try again',
    when: 'The object storage is unavailable. Nothing was stored.',
  },
  ...coverErrors,
  ...approvalErrors,
  ...shareErrors,
  ...webhookErrors,
} as const satisfies Record<string, ErrorDefinition>;

interface ErrorDefinition {
  /** HTTP status. */
  status: number;
  /** The message for people. */
  message: string;
  /** The condition, for the documentation. */
  when: string;
}

/** A key of {@link errorCatalogue}; stable, in snake_case. */
export type ErrorCode = keyof typeof errorCatalogue;

/** The HTTP statuses of a union of codes. */
export type StatusOf<Code extends ErrorCode> = (typeof errorCatalogue)[Code]['status'];
