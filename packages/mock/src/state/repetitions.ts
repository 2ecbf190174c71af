import { isKeptError, type ErrorBody, type Operation } from '@atelier/contract';
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
  if (!first || first.expiresAtMs <= nowMs) return null;
  if (first.fingerprint !== fingerprintOf(call)) throw new MockFailure('idempotency_key_reused');
  const { status, body, headers } = first;
  return { status, body, headers: { ...headers, 'idempotency-replayed': 'true' } };
}

const hourMs = 60 * 60 * 1000;

/** Keeps a response for repetitions of the request, unless it is an error that doesn't predict the next attempt. */
export function keep(call: Call, { status, body, headers = {} }: MockResponse, nowMs: number) {
  const place = placeOf(call);
  if (place === null || typeof body !== 'string') return;
  const { metadata } = call.operation.endpoint;
  const isSuccess = status < 400;
  if (!isSuccess && !isKeptError((JSON.parse(body) as ErrorBody).code, metadata.errors)) return;
  const usableUntilMs = isSuccess ? expiryIn(body, metadata, nowMs) : Infinity;
  const expiresAtMs = Math.min(usableUntilMs, nowMs + 24 * hourMs);
  const fingerprint = fingerprintOf(call);
  call.state.repetitions.set(place, { fingerprint, status, body, headers, expiresAtMs });
}

function placeOf({ operation, request, caller, key }: Call): string | null {
  const name = request.headers['idempotency-key'];
  if (name === undefined || !operation.endpoint.metadata.idempotent) return null;
  // A response may hold more than the scopes of another API key show.
  return JSON.stringify([key?.id ?? caller?.id, operation.id, name]);
}

function fingerprintOf({ input, request, organization }: Call): string {
  return JSON.stringify([request.url.pathname, input.query, input.body, organization?.id]);
}

/** Returns when a response becomes useless; Infinity: never. */
function expiryIn(
  body: string,
  { secretResponse, responseExpires }: Operation['endpoint']['metadata'],
  nowMs: number,
): number {
  if (secretResponse) return nowMs + hourMs;
  const { data } = JSON.parse(body) as { data?: unknown };
  if (!responseExpires || !isRecord(data)) return Infinity;
  const { expiresAt, expiresIn } = data;
  if (typeof expiresIn === 'number') return nowMs + expiresIn * 1000;
  return typeof expiresAt === 'string' ? Date.parse(expiresAt) : Infinity;
}
