import type { OutboundError, OutboundResponse } from '../../ports/outbound-http.ts';

const second = 1_000;
const hour = 60 * 60 * second;

/** Pauses after the first attempt, the second and so on. After the last one there is no further attempt. */
const pausesMs = [
  5 * second,
  300 * second,
  1_800 * second,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Failures in a row after which an endpoint counts as failing. */
export const failuresToFailing = 10;
/** Failures in a row, and the time without a success, after which it is disabled. */
const failuresToDisabled = 20;
const disabledAfterMs = 5 * 24 * hour;

const maxRetryAfterMs = 24 * hour;
const excerptCharacters = 1_024;

/** What came of an attempt. */
export interface Outcome {
  readonly status: number | null;
  readonly error: OutboundError | 'redirect' | null;
  readonly excerpt: string | null;
  readonly isSuccess: boolean;
  /** The receiver wants no more messages. */
  readonly isGone: boolean;
  /** What the receiver asks for; null if nothing. */
  readonly retryAfterMs: number | null;
}

export function outcomeOf(
  result: OutboundResponse | { readonly error: OutboundError },
  now: Date,
): Outcome {
  if ('error' in result) {
    return {
      status: null,
      error: result.error,
      excerpt: null,
      isSuccess: false,
      isGone: false,
      retryAfterMs: null,
    };
  }
  const { status, headers, body } = result;
  const isBusy = status === 429 || status === 503;
  return {
    status,
    error: status >= 300 && status < 400 ? 'redirect' : null,
    excerpt: excerptOf(body),
    isSuccess: status >= 200 && status < 300,
    isGone: status === 410,
    retryAfterMs: isBusy ? retryAfterOf(headers['retry-after'], now) : null,
  };
}

/**
 * Returns when the next attempt is due.
 *
 * @param attempts - how many there were
 * @param random - from 0 to 1
 * @returns null after the last one
 */
export function nextAttemptAt(
  attempts: number,
  { retryAfterMs, now, random }: { retryAfterMs: number | null; now: Date; random: number },
): Date | null {
  const pauseMs = pausesMs[attempts - 1];
  if (pauseMs === undefined) return null;
  // Receivers that were away together don't get everything together.
  const spread = pauseMs * (0.9 + 0.2 * random);
  return new Date(now.getTime() + Math.max(spread, retryAfterMs ?? 0));
}

/** Whether an endpoint with these failures since its last success is disabled. */
export function isHopeless(failures: number, failingSince: Date, now: Date): boolean {
  const isLong = now.getTime() - failingSince.getTime() >= disabledAfterMs;
  return failures >= failuresToDisabled && isLong;
}

function retryAfterOf(value: unknown, now: Date): number | null {
  if (typeof value !== 'string') return null;
  const wantedMs = /^\d{1,9}$/.test(value)
    ? Number(value) * second
    : Date.parse(value) - now.getTime();
  return Number.isNaN(wantedMs) ? null : Math.min(Math.max(wantedMs, 0), maxRetryAfterMs);
}

function excerptOf(body: Buffer): string | null {
  if (body.length === 0) return null;
  // Postgres stores no NUL.
  const text = body.toString('utf8', 0, 4 * excerptCharacters).replaceAll('\0', '\uFFFD');
  return text.slice(0, excerptCharacters).toWellFormed();
}
