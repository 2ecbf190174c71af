import cors from '@fastify/cors';
import { fastify, LogController, type FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { assetsRoom } from './features/assets/routes.ts';
import { authRoom } from './features/auth/routes.ts';
import { collectionsRoom } from './features/collections/routes.ts';
import { commentsRoom } from './features/comments/routes.ts';
import { dashboardRoom } from './features/dashboard/routes.ts';
import { documentationRoom } from './features/documentation/routes.ts';
import { eventsRoom } from './features/events/routes.ts';
import { healthRoom } from './features/health/routes.ts';
import { organizationsRoom } from './features/organizations/routes.ts';
import { plansRoom } from './features/plans/routes.ts';
import { profileRoom } from './features/profile/routes.ts';
import { projectsRoom } from './features/projects/routes.ts';
import { securityContactRoom } from './features/security-contact/routes.ts';
import { sessionsRoom } from './features/sessions/routes.ts';
import { tasksRoom } from './features/tasks/routes.ts';
import { timelineRoom } from './features/timeline/routes.ts';
import { uploadsRoom } from './features/uploads/routes.ts';
import { lookEveryMs } from './http/deadline.ts';
import {
  createLingering,
  lingerAfterEarlyAnswers,
  type LingeringConnections,
} from './http/early-answers.ts';
import { answerErrors, clientErrorAnswerer, frameworkErrorAnswerer } from './http/error-handler.ts';
import { webAppRoom } from './features/web-app/routes.ts';
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

  await app.register(documentationRoom(deps));
  await app.register(securityContactRoom(deps));
  await app.register(healthRoom(deps));
  await app.register(authRoom(deps));
  await app.register(sessionsRoom(deps));
  await app.register(profileRoom(deps));
  await app.register(timelineRoom(deps));
  await app.register(eventsRoom(deps));
  await app.register(collectionsRoom(deps));
  await app.register(assetsRoom(deps));
  await app.register(uploadsRoom(deps));
  await app.register(plansRoom(deps));
  await app.register(organizationsRoom(deps));
  await app.register(tasksRoom(deps));
  await app.register(projectsRoom(deps));
  await app.register(commentsRoom(deps));
  await app.register(dashboardRoom(deps));
  await app.register(webAppRoom(deps));

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
