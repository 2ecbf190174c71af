import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const secondsPerYear = 365 * 24 * 60 * 60;

/**
 * Headers of every answer, whoever gives it: a room, the router, or Node's parser. A room that serves
 * something else than JSON for its caller alone, such as a page, says so over them.
 */
export function standingHeaders({
  BASE_URL,
}: Pick<Config, 'BASE_URL'>): Readonly<Record<string, string>> {
  return {
    // Answers carry tokens and presigned addresses.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // An answer that a browser is led to is shown as text, alone, and loads nothing.
    'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    // Pages read answers by CORS; as a script or picture of another page they are of no use.
    'cross-origin-resource-policy': 'same-origin',
    // Addresses carry tokens of mails and invitations.
    'referrer-policy': 'no-referrer',
    ...(BASE_URL.startsWith('https:') && {
      'strict-transport-security': `max-age=${2 * secondsPerYear}; includeSubDomains`,
    }),
  };
}

/** Before anything else that may answer. */
export function addStandingHeaders(app: FastifyInstance, config: Config): void {
  const headers = standingHeaders(config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headers);
    done();
  });
}
