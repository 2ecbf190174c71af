import { MockFailure } from '../failure.ts';
import type { MockResponse } from '../response.ts';
import type { Call } from './model.ts';
import { isRecord } from './store.ts';

/**
 * Responds as to the first request with the same `Idempotency-Key`.
 *
 * @throws MockFailure `idempotency_key_reused` if that was another request
 */
export function repeated(call: Call, nowMs: number): MockResponse | null {
  const place = placeOf(call);
  const first = place === null ? undefined : call.state.repetitions.get(place);
  if (!first || (first.expiresAtMs !== null && first.expiresAtMs <= nowMs)) return null;
  if (first.fingerprint !== fingerprintOf(call)) throw new MockFailure('idempotency_key_reused');
  const { status, body, headers } = first;
  return { status, body, headers: { ...headers, 'idempotency-replayed': 'true' } };
}

/** Keeps a response for repetitions of the request. */
export function keep(call: Call, { status, body, headers = {} }: MockResponse, nowMs: number) {
  const place = placeOf(call);
  if (place === null || typeof body !== 'string' || status >= 500) return;
  const expiresAtMs = call.operation.endpoint.metadata.responseExpires
    ? expiryIn(body, nowMs)
    : null;
  const fingerprint = fingerprintOf(call);
  call.state.repetitions.set(place, { fingerprint, status, body, headers, expiresAtMs });
}

function placeOf({ operation, request, caller, organization }: Call): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !operation.endpoint.metadata.idempotent) return null;
  return JSON.stringify([caller?.id, organization?.id, operation.id, key]);
}

function fingerprintOf({ input, request }: Call): string {
  return JSON.stringify([request.url.pathname, input.query, input.body]);
}

function expiryIn(body: string, nowMs: number): number | null {
  const { data } = JSON.parse(body) as { data?: unknown };
  if (!isRecord(data)) return null;
  const { expiresAt, expiresIn } = data;
  if (typeof expiresIn === 'number') return nowMs + expiresIn * 1000;
  return typeof expiresAt === 'string' ? Date.parse(expiresAt) : null;
}
