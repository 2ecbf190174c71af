import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import type { JobHandlers } from '../ports/jobs.ts';
import { errorAttribute, withinSpan, type Instruments } from './instruments.ts';

/** Upper bounds in seconds: from a mail to a film that is read to its end. */
const jobBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];

/** Wraps handlers so that each run has its own trace, without its payload. */
export function observeJobs(handlers: JobHandlers, { tracer, meter }: Instruments): JobHandlers {
  const duration = meter.createHistogram('atelier.job.duration', {
    unit: 's',
    description: 'Time of one run of a job',
    advice: { explicitBucketBoundaries: jobBuckets },
  });
  type Run = (payload: unknown, signal: AbortSignal) => Promise<void>;
  const observed = Object.entries(handlers).map(([name, handle]): [string, Run] => [
    name,
    (payload, signal) => {
      const named = { 'atelier.job': name };
      const options = { kind: SpanKind.CONSUMER, attributes: named };
      const span = tracer.startSpan(`job ${name}`, options, ROOT_CONTEXT);
      // The queue passes each handler the payload of its own name.
      return withinSpan(
        span,
        () => (handle as Run)(payload, signal),
        ({ seconds, errorType }) =>
          duration.record(seconds, { ...named, ...errorAttribute(errorType) }),
      );
    },
  ]);
  // The names are those of `handlers`, each with a function of the same shape.
  return Object.fromEntries(observed) as unknown as JobHandlers;
}
