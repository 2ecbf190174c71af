import { SpanKind } from '@opentelemetry/api';
import {
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_QUERY_TEXT,
  ATTR_DB_SYSTEM_NAME,
  METRIC_DB_CLIENT_OPERATION_DURATION,
} from '@opentelemetry/semantic-conventions';
import { LRUCache } from 'lru-cache';
import type { ObserveStatement } from '../ports/telemetry.ts';
import { endSpan, errorAttribute, type Instruments } from './instruments.ts';

/** Upper bounds in seconds, as the semantic conventions recommend for statements. */
const statementBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

interface Summary {
  readonly operation: string;
  /** The operation and the first table. */
  readonly text: string;
}

const shortOperation = /^(?:select|insert|update|delete|with|begin|commit|rollback|set)\b/i;
const firstTable = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_]\w*(?:\.[a-z_]\w*)?)"?/i;

/** Statements contain no values, so their texts can be shown and are few. */
export function statementObserver({ tracer, meter }: Instruments): ObserveStatement {
  const duration = meter.createHistogram(METRIC_DB_CLIENT_OPERATION_DURATION, {
    unit: 's',
    description: 'Time of a statement, waiting for a connection included',
    advice: { explicitBucketBoundaries: statementBuckets },
  });
  const summaries = new LRUCache<string, Summary>({ max: 1_000 });

  return (text) => {
    const summary = summaries.get(text) ?? summaryOf(text);
    summaries.set(text, summary);
    const named = {
      [ATTR_DB_SYSTEM_NAME]: 'postgresql',
      [ATTR_DB_OPERATION_NAME]: summary.operation,
    };
    const span = tracer.startSpan(summary.text, {
      kind: SpanKind.CLIENT,
      attributes: {
        ...named,
        [ATTR_DB_QUERY_SUMMARY]: summary.text,
        [ATTR_DB_QUERY_TEXT]: text,
      },
    });
    const startedAtMs = performance.now();
    return (error) => {
      const { seconds, errorType } = endSpan(span, { startedAtMs, error });
      duration.record(seconds, { ...named, ...errorAttribute(errorType) });
    };
  };
}

function summaryOf(text: string): Summary {
  const operation = (shortOperation.exec(text.trimStart())?.[0] ?? 'other').toUpperCase();
  const table = firstTable.exec(text)?.[1];
  return { operation, text: table === undefined ? operation : `${operation} ${table}` };
}
