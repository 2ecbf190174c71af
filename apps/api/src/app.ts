import cors from '@fastify/cors';
import { fastify, LogController, type FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { features } from './features.ts';
import { documentationFeature } from './features/documentation/routes.ts';
import { securityContactFeature } from './features/security-contact/routes.ts';
import { lookEveryMs } from './http/deadline.ts';
import {
  createLingering,
  lingerAfterEarlyAnswers,
  type LingeringConnections,
} from './http/early-answers.ts';
import { answerErrors, clientErrorAnswerer, frameworkErrorAnswerer } from './http/error-handler.ts';
import { webAppFeature } from './features/web-app/routes.ts';
import { readJsonBodies } from './http/json-body.ts';
import { addHooks } from './http/hooks.ts';
import { collectDeclaredMethods, refuseOtherMethods } from './http/methods.ts';
import { refuseUnderPressure } from './http/pressure.ts';
import { requestIdOf } from './http/request-id.ts';
import { noCompilers } from './http/route-schemas.ts';
import { addStandingHeaders } from './http/standing-headers.ts';

/** The whole service as a Fastify instance that does not listen yet. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const lingering = createLingering();
  const app = createServer(deps, lingering);
  lingerAfterEarlyAnswers(app, lingering);
  deps.telemetry?.observeRequests(app);
  readJsonBodies(app);
  answerErrors(app);
  addStandingHeaders(app, deps.config);
  await app.register(cors, corsOptions(deps));
  refuseUnderPressure(app, deps);
  addHooks(app, deps);
  const declaredMethods = collectDeclaredMethods(app);

  await app.register(documentationFeature(deps));
  await app.register(securityContactFeature(deps));
  for (const feature of Object.values(features)) await app.register(feature(deps));
  await app.register(webAppFeature(deps));

  refuseOtherMethods(app, declaredMethods);
  return app;
}

function createServer({ config, log }: Deps, lingering: LingeringConnections): FastifyInstance {
  const answerClientError = clientErrorAnswerer(config, lingering);
  const app = fastify({
    loggerInstance: log,
    // One line of our own for each request instead of the framework's two.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    // No route has a level or serializers of its own, and without any options a child costs a fraction.
    childLoggerFactory: (logger, bindings) => logger.child(bindings),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: config.TRUSTED_PROXIES,
    // A body that is late is told so by a hook, which leaves a line in the log; Node is there for what that doesn't see.
    requestTimeout: config.REQUEST_TIMEOUT_MS + 2 * lookEveryMs,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    // Its own 503 is not in the error shape; a hook answers instead.
    return503OnClosing: false,
    frameworkErrors: frameworkErrorAnswerer(config, lingering),
    clientErrorHandler: answerClientError,
    http: {
      headersTimeout: config.REQUEST_TIMEOUT_MS,
      // Node looks for late requests this often; its own half minute lets them be half as late again.
      connectionsCheckingInterval: config.REQUEST_TIMEOUT_MS / 4,
      // A hook refuses it in the error shape.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 512 },
    schemaController: { compilersFactory: noCompilers },
  });
  // An expectation that isn't understood may be ignored (RFC 9110, section 10.1.1); Node would answer
  // with a bare 417 of its own.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  // This is no proxy; Node would hang up without a word.
  app.server.on('connect', (_request, socket) => {
    answerClientError(new Error('CONNECT'), socket);
  });
  return app;
}

function corsOptions({ config }: Deps) {
  const origins = [new URL(config.APP_URL).origin, ...config.CORS_ORIGINS];
  return {
    origin: config.CORS_ORIGINS.includes('*') ? '*' : origins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // A list would be joined again for each answer.
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
    // Its refusal of an OPTIONS that is no preflight is not in the error shape.
    strictPreflight: false,
  };
}
