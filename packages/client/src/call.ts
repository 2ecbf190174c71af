import { ApiError, TransportError } from './errors.ts';
import type { ValidationIssue } from './generated/types.ts';
import type { Answer } from './attempt.ts';
import type { Route } from './transport.ts';
import type { Meta } from './types.ts';

/** A success as every operation gives it. */
export type AnySuccess = { data: unknown } & Meta;

/**
 * Opens the envelope.
 *
 * @throws ApiError for an error of the service, and for an answer that isn't the service's
 */
export function open({ response, text }: Answer, { id }: Pick<Route, 'id'>): AnySuccess {
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
    message: stringOf(body.message) ?? `Unexpected answer (HTTP ${status})`,
    requestId,
    operation: id,
    // The service's own error body: checked by its contract, not once more here.
    issues: Array.isArray(body.errors) ? (body.errors as ValidationIssue[]) : [],
    headers,
  });
}

/** Makes the promise of a call out of its answer: `result`, `withMeta` and `raw` on top of it. */
export function callOf(
  answer: Promise<Answer>,
  opened: Promise<AnySuccess>,
  wantRaw: () => void,
): Promise<unknown> {
  const data = opened.then((success) => success.data);
  // Whoever asks for another form handles the failure there.
  const unheard = () => void data.catch(() => {});
  return Object.assign(data, {
    withMeta() {
      unheard();
      return opened;
    },
    async result() {
      unheard();
      try {
        return { ok: true, ...(await opened) };
      } catch (error) {
        if (error instanceof ApiError || error instanceof TransportError)
          return { ok: false, error };
        throw error;
      }
    },
    async raw() {
      unheard();
      wantRaw();
      return (await answer).response;
    },
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body ? { ...body } : {};
  } catch {
    return {};
  }
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
