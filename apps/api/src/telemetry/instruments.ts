import {
  context,
  SpanStatusCode,
  trace,
  type Attributes,
  type Meter,
  type Span,
  type Tracer,
} from '@opentelemetry/api';

export interface Instruments {
  readonly tracer: Tracer;
  readonly meter: Meter;
}

/** Upper bounds in seconds, as the semantic conventions recommend for requests. */
export const requestBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** Returns the seconds since a timestamp of `performance.now()`. */
export function secondsSince(startedAtMs: number): number {
  return (performance.now() - startedAtMs) / 1000;
}

/**
 * Classifies an error by a low-cardinality code: of a failure, of the database or of the system. Messages
 * may contain input of the client.
 */
function errorTypeOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return error instanceof Error ? error.name : '_OTHER';
}

export function markFailed(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Runs work in a span that ends with it.
 *
 * @param ended - receives the duration, and the error or null
 */
export async function withinSpan<Result>(
  span: Span,
  work: () => Promise<Result>,
  ended: (outcome: Outcome) => void,
): Promise<Result> {
  const startedAtMs = performance.now();
  try {
    const result = await context.with(trace.setSpan(context.active(), span), work);
    ended(endSpan(span, { startedAtMs, error: null }));
    return result;
  } catch (error) {
    ended(endSpan(span, { startedAtMs, error }));
    throw error;
  }
}

interface Outcome {
  readonly seconds: number;
  /** Null after success. */
  readonly errorType: string | null;
}

/**
 * Ends a span.
 *
 * @param startedAtMs - a timestamp of `performance.now()`
 * @param error - null after success
 */
export function endSpan(
  span: Span,
  { startedAtMs, error }: { startedAtMs: number; error: unknown },
): Outcome {
  const errorType = error === null ? null : errorTypeOf(error);
  if (errorType !== null) markFailed(span, errorType);
  span.end();
  return { seconds: secondsSince(startedAtMs), errorType };
}

export function errorAttribute(errorType: string | null): Attributes {
  return errorType === null ? {} : { 'error.type': errorType };
}
