import type { Access } from '@atelier/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { eachEverywhere, type Scopes } from '../db/scopes.ts';
import type { Deps } from '../deps.ts';
import type { VisitedShare } from '../kernel/context.ts';
import { Failure } from '../kernel/errors.ts';
import { createApiKeyUses, noteKeyUse, type ApiKeyUses } from './api-key-uses.ts';
import { authenticate, authenticateVisitor, type Identity } from './authenticate.ts';
import { addDeadline, respondedWithinMs } from './deadline.ts';
import { refuseDisconnected } from './disconnected.ts';
import { createEarlyReads, type EarlyReads } from './early-reads.ts';
import { askForExpectedBodies } from './expect-continue.ts';
import { createKnownCallers, type KnownCallers } from './known-callers.ts';
import { createIdempotencyKeys, type IdempotencyKeys } from './idempotency/keys.ts';
import { sessionQueries, visitQueries } from './queries/callers.ts';
import { underPressure } from './pressure.ts';
import { addRateLimits } from './rate-limit.ts';
import { refuseBy } from './refusals.ts';
import { accessOf, patternOf } from './requests.ts';
import { addRouteHeaders } from './route-headers.ts';
import { waitForHandlers } from './running-handlers.ts';
import { addSecurityEvents } from './security-events.ts';
import { silentMs } from './silence.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; null on public operations. */
    identity: Identity | null;
    /** The share that a visitor sees; null on operations that aren't for visitors. */
    visit: VisitedShare | null;
  }
  interface FastifyInstance {
    apiKeyUses: ApiKeyUses;
    earlyReads: EarlyReads;
    idempotencyKeys: IdempotencyKeys;
    knownCallers: KnownCallers;
    /** Looks up a known caller whom no transaction has proven. @throws Failure as `authenticate` does */
    identifyAnew: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
    /** Null without row-level security. */
    scopes: Scopes | null;
  }
}

/**
 * Registers the hooks around every request: refusals, limits, authentication, one log line. Hooks without asynchronous
 * work use callbacks: a promise for each hook of each request shows in the profile.
 */
export function addHooks(app: FastifyInstance, deps: Deps): void {
  addSecurityEvents(app, deps);
  addDeadline(app, {
    receivedWithinMs: deps.config.REQUEST_TIMEOUT_MS,
    respondedWithinMs,
    silentMs,
    onDisconnected: logRequest,
  });
  addRouteHeaders(app);
  refuseBy(app, [underPressure(app, deps), ambiguousHost, unknownPath]);
  hangUpWhileStopping(app, deps);
  addRateLimits(app, deps);
  authenticateByContract(app, deps);
  app.decorate('scopes', deps.scopes);
  app.decorate('idempotencyKeys', createIdempotencyKeys(deps));
  limitByContract(app);
  refuseDisconnected(app);
  askForExpectedBodies(app);
  logRequests(app);
  // The last hook for the end is called first.
  waitForHandlers(app);
}

/**
 * Refuses a missing or repeated Host. Node would send a bare 400 if it is missing, and use the first of two. Every
 * hop has to agree on the host (RFC 9112, section 3.2).
 */
function ambiguousHost({ raw }: FastifyRequest): Failure | null {
  const hosts = countOf('host', raw.rawHeaders);
  const isOptional = raw.httpVersion === '1.0';
  const isClear = hosts === 1 || (isOptional && hosts === 0);
  return isClear ? null : new Failure('malformed_request');
}

/** @param rawHeaders - alternating names and values */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * Marks responses during shutdown. Requests are served as long as the process listens: every accepted request gets a
 * response. Each response closes its connection, so that clients reconnect elsewhere.
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

/** Before reading a body that would be discarded. */
function unknownPath({ is404 }: FastifyRequest): Failure | null {
  return is404 ? new Failure('route_not_found') : null;
}

function authenticateByContract(app: FastifyInstance, deps: Deps): void {
  const { tokens, clock, db, quickDb, isDistributed, scopes, log } = deps;
  const uses = createApiKeyUses({ db, clock, log });
  app.decorate('apiKeyUses', uses);
  // When all handlers have ended.
  app.addHook('onClose', async () => uses.stop());
  const sessions = eachEverywhere(scopes, sessionQueries(quickDb, isDistributed));
  const visits = eachEverywhere(scopes, visitQueries(quickDb));
  const earlyReads = createEarlyReads();
  app.decorate('earlyReads', earlyReads);
  const knownCallers = createKnownCallers(sessions);
  app.decorate('knownCallers', knownCallers);
  app.decorateRequest('identity', null);
  app.decorateRequest('earlyRead', null);
  app.decorateRequest('known', null);
  app.decorateRequest('visit', null);

  async function identify(request: FastifyRequest, reply: FastifyReply, access: Access) {
    try {
      if (access.kind === 'share') {
        request.visit = await authenticateVisitor(request, { clock, visits });
        return;
      }
      request.identity = await authenticate(request, access, {
        tokens,
        clock,
        sessions,
        knownCallers,
        earlyReads,
      });
      // A known caller uses the key only with the proof.
      if (request.known === null) noteKeyUse(request);
    } catch (error) {
      if (error instanceof Failure) {
        // A caller that fails to authenticate is limited as anonymous, also one that was known before.
        request.identity = null;
        await app.rateLimits.countCall(request, reply);
      }
      throw error;
    }
  }

  app.decorate('identifyAnew', async (request, reply) => {
    const access = accessOf(request);
    if (access) await identify(request, reply, access);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const access = accessOf(request);
    if (!access || access.kind === 'public') done();
    else identify(request, reply, access).then(() => done(), done);
  });
  app.addHook('preValidation', (request, reply, done) => {
    const access = accessOf(request);
    const isPublic = !access || access.kind === 'public';
    if (isPublic || reply.elapsedTime <= promptBodyMs) done();
    else identify(request, reply, access).then(() => done(), done);
  });
}

/**
 * Threshold in milliseconds: if the body takes longer, the caller is authenticated again once it has arrived. Mutations
 * check this in their transactions anyway; this covers responses without a transaction, such as a replay for an
 * idempotency key.
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
    logRequest(request, reply);
    done();
  });
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      // The pattern, not the URL, which may contain a token.
      route: patternOf(request),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      userId: request.identity?.user.id,
      ...(reply.statusCode >= 400 && request.server.securityEvents.noteRefusal(request)),
    },
    'request',
  );
}
