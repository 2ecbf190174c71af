import {
  context,
  propagation,
  SpanKind,
  trace,
  type Attributes,
  type Context,
} from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_URL_SCHEME,
  METRIC_HTTP_SERVER_REQUEST_DURATION,
} from '@opentelemetry/semantic-conventions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operationIdOf, operationOf, patternOf } from '../http/requests.ts';
import { markFailed, requestBuckets, secondsSince, type Instruments } from './instruments.ts';

const methods: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE'.split(' '),
);

/**
 * Records a server span and metrics of every request. They have the operation's name and the route pattern: the
 * URL itself may contain a token, and each would create its own time series.
 */
export function observeRequests(app: FastifyInstance, { tracer, meter }: Instruments): void {
  const duration = meter.createHistogram(METRIC_HTTP_SERVER_REQUEST_DURATION, {
    unit: 's',
    description: 'Time from the head of a request to the end of its response',
    advice: { explicitBucketBoundaries: requestBuckets },
  });
  const active = meter.createUpDownCounter('http.server.active_requests', {
    unit: '{request}',
    description: 'Requests without a response yet, except streams',
  });
  const streams = meter.createUpDownCounter('atelier.event_streams', {
    unit: '{stream}',
    description: 'Open streams of live updates',
  });
  const contexts = new WeakMap<FastifyRequest, Context>();

  app.addHook('onRequest', (request, reply, done) => {
    const startedAtMs = performance.now();
    const what = describe(request);
    const parent = propagation.extract(context.active(), request.headers);
    const span = tracer.startSpan(
      what.name,
      {
        kind: SpanKind.SERVER,
        attributes: {
          ...what.attributes,
          [ATTR_URL_SCHEME]: request.protocol,
          [ATTR_NETWORK_PROTOCOL_VERSION]: request.raw.httpVersion,
          'atelier.request_id': request.id,
        },
      },
      parent,
    );
    const underWay = what.isStream ? streams : active;
    const underWayAs = what.isStream
      ? {}
      : { [ATTR_HTTP_REQUEST_METHOD]: what.attributes[ATTR_HTTP_REQUEST_METHOD] };
    underWay.add(1, underWayAs);
    // Unlike the hook, also runs when the client disconnects.
    reply.raw.once('close', () => {
      const outcome = outcomeOf(reply);
      underWay.add(-1, underWayAs);
      if (!what.isStream) {
        duration.record(secondsSince(startedAtMs), { ...what.attributes, ...outcome });
      }
      span.setAttributes(outcome);
      const errorType = outcome[ATTR_ERROR_TYPE];
      if (typeof errorType === 'string') markFailed(span, errorType);
      span.end();
    });
    const within = trace.setSpan(parent, span);
    contexts.set(request, within);
    context.with(within, done);
  });

  // The events of an arriving body and a finished response come from the connection, which has no request context.
  const enter = (request: FastifyRequest, done: () => void) =>
    context.with(contexts.get(request) ?? context.active(), done);
  app.addHook('preValidation', (request, _reply, done) => enter(request, done));
  app.addHook('onResponse', (request, _reply, done) => enter(request, done));
}

function describe(request: FastifyRequest) {
  const method = methods.has(request.method) ? request.method : '_OTHER';
  const route = patternOf(request) ?? undefined;
  const metadata = operationOf(request);
  const operation = operationIdOf(request) ?? undefined;
  const attributes: Attributes = {
    [ATTR_HTTP_REQUEST_METHOD]: method,
    ...(route !== undefined && { [ATTR_HTTP_ROUTE]: route }),
    ...(operation !== undefined && { 'atelier.operation': operation }),
  };
  const name = operation ?? (route === undefined ? method : `${method} ${route}`);
  return { name, attributes, isStream: metadata?.success.isStream === true };
}

/** A disconnected client has no status; only faults of the service are errors. */
function outcomeOf(reply: FastifyReply): Attributes {
  if (!reply.raw.headersSent) return { [ATTR_ERROR_TYPE]: 'hung_up' };
  const status = reply.raw.statusCode;
  return {
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
    ...(status >= 500 && { [ATTR_ERROR_TYPE]: String(status) }),
  };
}
