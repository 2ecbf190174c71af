import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly hasFailed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A collector for tests: receives traces as JSON and metrics as sent, over real HTTP. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Resource attributes of the last traces. */
  readonly resource: Readonly<Record<string, unknown>>;
  /** Bodies of metrics; names are readable in them. */
  readonly metrics: readonly Buffer[];
  /** Everything that it received, as text. */
  everything(): string;
  close(): Promise<void>;
}

interface WireAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly WireAttribute[];
}

interface WireTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metrics: Buffer[] = [];
  const bodies: string[] = [];
  let resource: Readonly<Record<string, unknown>> = {};

  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(body.toString('latin1'));
      if (request.url === '/v1/metrics') metrics.push(body);
      if (request.url === '/v1/traces') {
        // The protocol's JSON: the test configures `http/json`.
        const traces = JSON.parse(body.toString()) as WireTraces;
        for (const { resource: of, scopeSpans } of traces.resourceSpans) {
          resource = plain(of.attributes);
          for (const scope of scopeSpans) spans.push(...scope.spans.map(received));
        }
      }
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    get resource() {
      return resource;
    },
    everything: () => bodies.join('\n'),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function received(span: WireSpan): ReceivedSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    hasFailed: span.status?.code === 2,
    attributes: plain(span.attributes),
  };
}

function plain(attributes: readonly WireAttribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0]] as const),
  );
}
