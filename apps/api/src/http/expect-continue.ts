import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../kernel/errors.ts';
import { operationOf } from './requests.ts';

/**
 * Asks a caller who waits for that (`Expect: 100-continue`) for its body only when the body is going to be read: what
 * the head alone refuses is answered at once, and never sent. Comes after every other hook that may refuse.
 */
export function askForExpectedBodies(app: FastifyInstance): void {
  const waiting = new WeakSet<IncomingMessage>();
  app.server.on('checkContinue', (request, response) => {
    waiting.add(request);
    app.server.emit('request', request, response);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.expect === undefined || !waiting.has(request.raw)) return done();
    const refusal = refusalByHead(request);
    if (refusal === null) reply.raw.writeContinue();
    done(refusal ?? undefined);
  });
}

/** What would be said of the body once it is there, as far as the head tells. */
function refusalByHead(request: FastifyRequest): Failure | null {
  const { 'content-length': length, 'content-type': type = '' } = request.headers;
  const takesBody = operationOf(request)?.errors.includes('body_too_large') ?? false;
  if (!takesBody) return null;
  if (Number(length) > request.routeOptions.bodyLimit) return new Failure('body_too_large');
  return isJson.test(type) ? null : new Failure('unsupported_media_type');
}

const isJson = /^application\/json *(?:;|$)/i;
