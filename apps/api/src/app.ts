import cors from '@fastify/cors';
import { fastify, LogController, type FastifyInstance } from 'fastify';
import { originsOf } from './config.ts';
import type { Deps } from './deps.ts';
import { features } from './features.ts';
import { documentationFeature } from './features/documentation/routes.ts';
import { mcpFeature } from './features/mcp/routes.ts';
import { securityContactFeature } from './features/security-contact/routes.ts';
import { pollIntervalMs } from './http/deadline.ts';
import { limitClosing } from './http/closing.ts';
import {
  createLingering,
  lingerAfterEarlyResponses,
  type LingeringConnections,
} from './http/early-responses.ts';
import {
  respondWithErrors,
  clientErrorHandler,
  frameworkErrorHandler,
} from './http/error-handler.ts';
import { webAppFeature } from './features/web-app/routes.ts';
import { registerFeatures } from './http/feature.ts';
import { readJsonBodies } from './http/json-body.ts';
import { addHooks } from './http/hooks.ts';
import { collectDeclaredMethods, refuseOtherMethods } from './http/methods.ts';
import { requestIdOf } from './http/request-id.ts';
import { noCompilers } from './http/route-schemas.ts';
import { addCommonHeaders } from './http/common-headers.ts';

/** Builds the whole service as a Fastify instance that does not listen yet. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const lingering = createLingering();
  const app = createServer(deps, lingering);
  lingerAfterEarlyResponses(app, lingering);
  deps.telemetry?.observeRequests(app);
  readJsonBodies(app);
  respondWithErrors(app);
  addCommonHeaders(app, deps.config);
  await app.register(cors, corsOptions(deps));
  addHooks(app, deps);
  const declaredMethods = collectDeclaredMethods(app);

  await app.register(documentationFeature(deps));
  await app.register(securityContactFeature(deps));
  await app.register(mcpFeature(deps));
  await registerFeatures(
    app,
    Object.values(features).map((featureOf) => featureOf(deps)),
  );
  await app.register(webAppFeature(deps));
  await app.register(async (last) => limitClosing(last, deps.config));

  refuseOtherMethods(app, declaredMethods);
  return app;
}

function createServer({ config, log }: Deps, lingering: LingeringConnections): FastifyInstance {
  const sendClientError = clientErrorHandler(config, lingering);
  const app = fastify({
    loggerInstance: log,
    // One log line per request instead of the framework's two.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    // No route has its own log level or serializers, and a child logger without options costs a fraction.
    childLoggerFactory: (logger, bindings) => logger.child(bindings),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: config.TRUSTED_PROXIES,
    // A hook refuses a late body, and logs it; Node's timeout covers what the hook doesn't see.
    requestTimeout: config.REQUEST_TIMEOUT_MS + 2 * pollIntervalMs,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    // Fastify's own 503 is not in the error shape; a hook responds instead.
    return503OnClosing: false,
    frameworkErrors: frameworkErrorHandler(config, lingering),
    clientErrorHandler: sendClientError,
    http: {
      headersTimeout: config.REQUEST_TIMEOUT_MS,
      // Interval of Node's check for late requests; its default of half a minute makes the timeout half as long again.
      connectionsCheckingInterval: config.REQUEST_TIMEOUT_MS / 4,
      // A hook refuses it in the error shape.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 512 },
    schemaController: { compilersFactory: noCompilers },
  });
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would send
  // a bare 417.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  // The service is not a proxy; Node would close the connection without a response.
  app.server.on('connect', (_request, socket) => {
    sendClientError(new Error('CONNECT'), socket);
  });
  return app;
}

function corsOptions({ config }: Deps) {
  const origins = originsOf(config);
  return {
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // A string: an array would be joined again for each response.
    exposedHeaders: [
      'Deprecation',
      'ETag',
      'Idempotency-Replayed',
      'Location',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Sunset',
      'X-Request-Id',
    ].join(', '),
    maxAge: 600,
    // Its refusal of an OPTIONS that is not a preflight is not in the error shape.
    strictPreflight: false,
  };
}
