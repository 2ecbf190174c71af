import { errorCatalogue, type ErrorCode } from './errors.ts';

/** They don't predict the next attempt, or the request has to be corrected. */
const passing: readonly ErrorCode[] = [
  'validation_failed',
  'unauthenticated',
  'organization_access_denied',
  'confirmation_required',
  'conflict',
  'idempotency_in_flight',
  'rate_limited',
];

/**
 * Tells whether a refusal is kept under the `Idempotency-Key` of its request, for repetitions.
 *
 * @param declared - the errors of the operation
 */
export function isKeptError(code: ErrorCode, declared: readonly ErrorCode[]): boolean {
  return errorCatalogue[code].status < 500 && declared.includes(code) && !passing.includes(code);
}
