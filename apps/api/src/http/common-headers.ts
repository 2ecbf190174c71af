import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const secondsPerYear = 365 * 24 * 60 * 60;

/**
 * Common headers of every response, whether a feature, the router or Node's parser sends it. A feature that serves
 * something other than JSON to its caller alone, such as a page, overrides them.
 */
export function commonHeaders({
  BASE_URL,
}: Pick<Config, 'BASE_URL'>): Readonly<Record<string, string>> {
  return {
    // Responses contain tokens and presigned URLs.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // A browser that navigates to a response shows it as text, sandboxed, and loads nothing.
    'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    // Pages read responses through CORS; they never need them as a script or image.
    'cross-origin-resource-policy': 'same-origin',
    // URLs contain tokens of mails and invitations.
    'referrer-policy': 'no-referrer',
    ...(BASE_URL.startsWith('https:') && {
      'strict-transport-security': `max-age=${2 * secondsPerYear}; includeSubDomains`,
    }),
  };
}

/** Sets the common headers. Registered before anything else that may respond. */
export function addCommonHeaders(app: FastifyInstance, config: Config): void {
  const headers = commonHeaders(config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headers);
    done();
  });
}
