import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Returns why a request is refused, as far as its head and the state of the service tell; null to let it pass. */
export type Refusal = (request: FastifyRequest) => Error | null;

/** Refuses requests by the first that objects. They share one hook: each hook of every request shows in the profile. */
export function refuseBy(app: FastifyInstance, refusals: readonly Refusal[]): void {
  app.addHook('onRequest', (request, _reply, done) => {
    for (const refusalOf of refusals) {
      const refusal = refusalOf(request);
      if (refusal !== null) return done(refusal);
    }
    done();
  });
}
