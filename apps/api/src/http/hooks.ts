import { deprecationHeaders, type Access } from '@atelier/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { eachEverywhere, type Scopes } from '../db/scopes.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../kernel/errors.ts';
import { authenticate, type Identity } from './authenticate.ts';
import { addDeadline, answeredWithinMs } from './deadline.ts';
import { askForExpectedBodies } from './expect-continue.ts';
import { createIdempotencyKeys, type IdempotencyKeys } from './idempotency/keys.ts';
import { sessionQueries } from './queries.ts';
import { addRateLimits } from './rate-limit.ts';
import { accessOf, operationOf, patternOf } from './requests.ts';
import { addSecurityEvents } from './security-events.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; null on public operations. */
    identity: Identity | null;
  }
  interface FastifyInstance {
    idempotencyKeys: IdempotencyKeys;
    /** Null without row-level security. */
    scopes: Scopes | null;
  }
}

/**
 * What happens around every request: refusals, limits, authentication, one log line. Whatever has nothing to wait for
 * calls back: a promise for each hook of each request shows in the profile.
 */
export function addHooks(app: FastifyInstance, deps: Deps): void {
  addSecurityEvents(app, deps);
  addDeadline(app, { receivedWithinMs: deps.config.REQUEST_TIMEOUT_MS, answeredWithinMs });
  refuseAmbiguousHosts(app);
  announceDeprecation(app);
  hangUpWhileStopping(app, deps);
  refuseUnknownPaths(app);
  addRateLimits(app, deps);
  authenticateByContract(app, deps);
  app.decorate('scopes', deps.scopes);
  app.decorate('idempotencyKeys', createIdempotencyKeys(deps));
  limitByContract(app);
  askForExpectedBodies(app);
  logRequests(app);
}

/**
 * Node would answer a missing Host with a bare 400 of its own, and take the first of two. Which host is
 * meant has to be one question with one answer for everybody on the way (RFC 9112, section 3.2).
 */
function refuseAmbiguousHosts(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = countOf('host', raw.rawHeaders);
    const isOptional = raw.httpVersion === '1.0';
    const isClear = hosts === 1 || (isOptional && hosts === 0);
    done(isClear ? undefined : new Failure('malformed_request'));
  });
}

/** @param rawHeaders - names and values by turns */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

/** In every answer of the operation, also in a refusal. */
export function announceDeprecation(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const deprecated = operationOf(request)?.deprecated;
    if (deprecated) reply.headers(deprecationHeaders(deprecated));
    done();
  });
}

/**
 * Calls are served as long as the process listens: who was let in is answered. Each answer says that it was
 * the last one on its connection, so that callers move elsewhere.
 */
function hangUpWhileStopping(app: FastifyInstance, { stopping }: Deps): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  // oxlint-disable-next-line eslint/max-params -- what the framework calls it with
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing || stopping.aborted) reply.header('connection', 'close');
    done(null, payload);
  });
}

function refuseUnknownPaths(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // Before a body is read for nobody.
    done(request.is404 ? new Failure('route_not_found') : undefined);
  });
}

function authenticateByContract(app: FastifyInstance, { tokens, clock, db, scopes }: Deps): void {
  const sessions = eachEverywhere(scopes, sessionQueries(db));
  app.decorateRequest('identity', null);

  async function identify(request: FastifyRequest, reply: FastifyReply, access: Access) {
    try {
      request.identity = await authenticate(request, access, { tokens, clock, sessions });
    } catch (error) {
      // Who fails to prove a name is limited like anybody without one.
      if (error instanceof Failure) await app.rateLimits.countCall(request, reply);
      throw error;
    }
  }

  app.addHook('onRequest', (request, reply, done) => {
    const access = accessOf(request);
    if (!access || access.kind === 'public') done();
    else identify(request, reply, access).then(() => done(), done);
  });
  app.addHook('preValidation', (request, reply, done) => {
    const access = accessOf(request);
    const isLate = reply.elapsedTime > promptBodyMs;
    if (!isLate || !access || access.kind === 'public') done();
    else identify(request, reply, access).then(() => done(), done);
  });
}

/**
 * A body that takes longer has its sender authenticated again when it has arrived, in milliseconds. Changes prove
 * it in their transactions whatever the body took; this is for what a response shows without one, such as one
 * that is replayed for an idempotency key.
 */
const promptBodyMs = 250;

function limitByContract(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const counted = app.rateLimits.countCall(request, reply);
    if (counted === null) done();
    else counted.then(() => done(), done);
  });
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        // The pattern, not the address: that may hold a token.
        route: patternOf(request),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        userId: request.identity?.user.id,
        ...(reply.statusCode >= 400 && app.securityEvents.noteRefusal(request)),
      },
      'request',
    );
    done();
  });
}
