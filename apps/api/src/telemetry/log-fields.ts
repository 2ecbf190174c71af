import { trace } from '@opentelemetry/api';

/** Names as OpenTelemetry recommends them for logs in other formats. */
export function logFields(): Readonly<Record<string, string>> {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
