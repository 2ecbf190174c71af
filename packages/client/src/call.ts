import { ApiError, TransportError } from './errors.ts';
import type { ValidationIssue } from './generated/types.ts';
import type { ReceivedResponse } from './attempt.ts';
import type { Route } from './routes.ts';
import type { Meta } from './types.ts';

/** A success of any operation. */
export type AnySuccess = { data: unknown } & Meta;

/**
 * Unwraps the envelope.
 *
 * @throws ApiError for an error of the service, and for a response of another server
 */
export function open({ response, text }: ReceivedResponse, { id }: Pick<Route, 'id'>): AnySuccess {
  const { status, headers } = response;
  const body = parse(text);
  const requestId = stringOf(body.requestId) ?? headers.get('x-request-id');
  if (response.ok && ('data' in body || 'message' in body)) {
    const message = stringOf(body.message);
    return { data: body.data, status, message, requestId, etag: headers.get('etag'), headers };
  }
  throw new ApiError({
    status,
    code: (!response.ok && stringOf(body.code)) || 'unknown',
    message: stringOf(body.message) ?? `Unexpected response (HTTP ${status})`,
    requestId,
    operation: id,
    // The contract checks the error body; the client trusts it.
    issues: Array.isArray(body.errors) ? (body.errors as ValidationIssue[]) : [],
    headers,
  });
}

/** Adds `result`, `withMeta` and `raw` to the promise of the data. */
export function callOf(
  response: Promise<ReceivedResponse>,
  opened: Promise<AnySuccess>,
  wantRaw: () => void,
): Promise<unknown> {
  const data = opened.then((success) => success.data);
  // Another form reports the failure itself, so this promise must not.
  const ignoreFailure = () => void data.catch(() => {});
  return Object.assign(data, {
    withMeta() {
      ignoreFailure();
      return opened;
    },
    async result() {
      ignoreFailure();
      try {
        return { ok: true, ...(await opened) };
      } catch (error) {
        if (error instanceof ApiError || error instanceof TransportError)
          return { ok: false, error };
        throw error;
      }
    },
    async raw() {
      ignoreFailure();
      wantRaw();
      return (await response).response;
    },
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
