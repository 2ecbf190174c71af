import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  AggregationTemporality,
  DataPointType,
  MetricReader,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';

/** Metrics that are collected on request. */
export class PullReader extends MetricReader {
  constructor() {
    super({ aggregationTemporalitySelector: () => AggregationTemporality.CUMULATIVE });
  }

  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Units in Prometheus spelling; a metric's name ends with its unit. */
const unitWords: Readonly<Record<string, string>> = {
  s: 'seconds',
  By: 'bytes',
  ms: 'milliseconds',
};

/**
 * Serves `GET /metrics` in the text format of Prometheus.
 *
 * @param port - 0 uses a free one
 */
export async function openMetricsEndpoint(
  reader: MetricReader,
  { host, port }: { host: string; port: number },
): Promise<{ address: string; close(): Promise<void> }> {
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    reader.collect({ timeoutMillis: 10_000 }).then(
      // A metric that could not be read is omitted; the others remain.
      ({ resourceMetrics }) => {
        response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
        response.end(serializer.serialize(withUnits(resourceMetrics)));
      },
      () => response.writeHead(503).end(),
    );
  });
  // Never a port that processes share, which also tells the one that supervises them that the service has started.
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening');
  const { address, port: taken } = server.address() as AddressInfo;
  return {
    address: `http://${address.includes(':') ? `[${address}]` : address}:${taken}/metrics`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The serializer omits the unit from the name, where a collector and every dashboard expect it. */
function withUnits(resourceMetrics: ResourceMetrics): ResourceMetrics {
  return {
    ...resourceMetrics,
    scopeMetrics: resourceMetrics.scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((metric) => withUnit(metric)),
    })),
  };
}

function withUnit<Metric extends MetricData>(metric: Metric): Metric {
  const { name, unit } = metric.descriptor;
  const isShare = unit === '1' && metric.dataPointType === DataPointType.GAUGE;
  const word = isShare ? 'ratio' : unitWords[unit];
  if (word === undefined || name.endsWith(word)) return metric;
  return { ...metric, descriptor: { ...metric.descriptor, name: `${name}_${word}` } };
}
