import { ApiError, TransportError } from '@atelier/client';
import { texts } from '../texts/errors.ts';

const textByCode: Readonly<Record<string, string | undefined>> = texts.byCode;

/** Returns the message for an error. */
export function errorText(error: unknown): string {
  if (error instanceof TransportError) return texts.transport[error.kind];
  if (isOfUnreachableStorage(error)) return texts.transport.network;
  if (!(error instanceof ApiError)) return texts.unexpected;
  const known = textByCode[String(error.code)] ?? error.message;
  return error.status >= 500 && error.requestId
    ? `${known} ${texts.requestId(error.requestId)}`
    : known;
}

/** Returns the first error of each field of a form, by field name. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.issues
      .filter((issue) => issue.in === 'body' && issue.path.length > 0)
      .toReversed()
      .map((issue) => [issue.path.join('.'), issue.message]),
  );
}

/** Tells whether an upload failed because the storage did not respond. */
export function isOfUnreachableStorage(error: unknown): boolean {
  // The class of the error is loaded with the first upload.
  return (
    error instanceof Error &&
    error.name === 'UploadError' &&
    'code' in error &&
    error.code === 'network'
  );
}

/** Tells whether a request failed because of the network, so that it may succeed later. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TransportError && error.kind !== 'session_expired';
}

/** Tells whether the user lacks permission, so that a retry is pointless. */
export function isForbidden(error: unknown): boolean {
  const canConfirm = error instanceof ApiError && error.code === 'confirmation_required';
  return error instanceof ApiError && error.status === 403 && !canConfirm;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || isMalformedId(error));
}

/** A malformed id in the path is treated as not found. */
function isMalformedId(error: Pick<ApiError, 'status' | 'issues'>): boolean {
  return error.status === 400 && error.issues.some((issue) => issue.in === 'path');
}
