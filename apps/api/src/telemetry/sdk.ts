import { setTimeout as delay } from 'node:timers/promises';
import { metrics, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { PeriodicExportingMetricReader, type IMetricReader } from '@opentelemetry/sdk-metrics';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import type { Config } from '../config.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { observeJobs } from './jobs.ts';
import { logFields } from './log-fields.ts';
import { openMetricsEndpoint, PullReader } from './metrics-endpoint.ts';
import { watchBulkhead, watchLog, watchPool, watchProcess, watchQueue } from './gauges.ts';
import { observeRequests } from './requests.ts';
import type { Instruments } from './instruments.ts';
import { secondFactorFailureCounter, securityEventCounter } from './security-events.ts';
import { statementObserver } from './statements.ts';
import { observeStore } from './store.ts';

const scope = 'atelier';

/** Time to send the last traces and metrics at shutdown, in milliseconds. */
const patienceMs = 2_000;

/** Use only through `startTelemetry`, which loads this module on demand. */
export async function startSdk(config: Config): Promise<Telemetry> {
  const pull = config.METRICS_PORT === undefined ? null : new PullReader();
  const sdk = startNodeSdk({
    logLevel: config.OTEL_LOG_LEVEL,
    resourceAttributes: { 'service.name': config.OTEL_SERVICE_NAME },
    metricReaders: [...(pull ? [pull] : []), ...pushReaders(config)],
    ...(!sendsTraces(config) && { spanProcessors: [] }),
    logRecordProcessors: [],
    instrumentations: [new RuntimeNodeInstrumentation()],
  });
  const endpoint =
    pull && config.METRICS_PORT !== undefined
      ? await openMetricsEndpoint(pull, { host: config.METRICS_HOST, port: config.METRICS_PORT })
      : null;

  const instruments: Instruments = {
    tracer: trace.getTracer(scope),
    meter: metrics.getMeter(scope),
  };
  watchProcess(instruments);
  return {
    metricsAddress: endpoint?.address ?? null,
    observeStatement: statementObserver(instruments),
    observeRequests: (app) => observeRequests(app, instruments),
    observeStore: (store) => observeStore(store, instruments),
    observeJobs: (handlers) => observeJobs(handlers, instruments),
    countSecurityEvent: securityEventCounter(instruments),
    countSecondFactorFailure: secondFactorFailureCounter(instruments),
    watchPool: (read) => watchPool(instruments, read),
    watchBulkhead: (read) => watchBulkhead(instruments, read),
    watchQueue: (read) => watchQueue(instruments, read),
    watchLog: (read) => watchLog(instruments, read),
    logFields,
    async stop() {
      const stopped = Promise.allSettled([sdk.shutdown(), endpoint?.close()]);
      // An unavailable collector must not block the shutdown.
      await Promise.race([stopped, delay(patienceMs, undefined, { ref: false })]);
    },
  };
}

function sendsTraces(config: Config): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config;
  return all !== undefined || own !== undefined;
}

function pushReaders(config: Config): IMetricReader[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: own } = config;
  const isNamed = all !== undefined || own !== undefined;
  if (!isNamed || config.OTEL_METRICS_EXPORTER === 'none') return [];
  const intervalMs = config.OTEL_METRIC_EXPORT_INTERVAL;
  return [
    new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter(),
      exportIntervalMillis: intervalMs,
      exportTimeoutMillis: Math.min(30_000, intervalMs),
    }),
  ];
}
