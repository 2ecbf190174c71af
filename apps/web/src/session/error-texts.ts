import { ApiError, TransportError } from '@atelier/client';
import { texts } from '../texts/errors.ts';

const textByCode: Readonly<Record<string, string | undefined>> = texts.byCode;

/** What went wrong, for people. */
export function errorText(error: unknown): string {
  if (error instanceof TransportError) return texts.transport[error.kind];
  if (!(error instanceof ApiError)) return texts.unexpected;
  const known = textByCode[String(error.code)] ?? error.message;
  return error.status >= 500 && error.requestId
    ? `${known} ${texts.requestId(error.requestId)}`
    : known;
}

/** What is wrong with each field of a form, by its name: the first finding of each. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.issues
      .filter((issue) => issue.in === 'body' && issue.path.length > 0)
      .toReversed()
      .map((issue) => [issue.path.join('.'), issue.message]),
  );
}

/** Whether the role is too weak, in which case trying again is in vain. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || isMalformedId(error));
}

/** An address with a part that can't be an id leads nowhere either. */
function isMalformedId(error: Pick<ApiError, 'status' | 'issues'>): boolean {
  return error.status === 400 && error.issues.some((issue) => issue.in === 'path');
}
