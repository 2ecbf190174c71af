import type { FastifyInstance } from 'fastify';

/**
 * Refuses a request whose client has disconnected while an earlier hook waited. The framework would wait for the body of a
 * connection that sends no more events, and the handler would never be called.
 */
export function refuseDisconnected(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => done(raw.errored ?? undefined));
}
