import { trace } from '@opentelemetry/api';

/** Field names that OpenTelemetry recommends for other log formats. */
export function logFields(): Readonly<Record<string, string>> {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
