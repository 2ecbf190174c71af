import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../kernel/errors.ts';
import { operationOf } from './requests.ts';

/**
 * Sends `100 Continue` to a client that waits for it (`Expect: 100-continue`) only if the body is going to be read: a
 * request that its headers alone rule out is refused at once, without its body. Runs after every other hook that may refuse.
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

/** Returns the refusal that the body would get, as far as the headers tell. */
function refusalByHead(request: FastifyRequest): Failure | null {
  const { 'content-length': length, 'content-type': type = '' } = request.headers;
  const takesBody = operationOf(request)?.errors.includes('body_too_large') ?? false;
  if (!takesBody) return null;
  if (Number(length) > request.routeOptions.bodyLimit) return new Failure('body_too_large');
  return isJson.test(type) ? null : new Failure('unsupported_media_type');
}

const isJson = /^application\/json *(?:;|$)/i;
