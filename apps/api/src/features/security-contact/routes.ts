import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import { dayMs } from '../../kernel/durations.ts';
import { Failure } from '../../kernel/errors.ts';

/** RFC 9116 recommends less than a year. */
const validDays = 180;

/**
 * Serves the contact for vulnerability reports to people and scanners (RFC 9116). 404 without a configured contact:
 * a file without a contact would be worse than none.
 */
export function securityContactFeature({ config, clock }: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get('/.well-known/security.txt', async (_request, reply) => {
      if (config.SECURITY_CONTACT.length === 0) throw new Failure('route_not_found');
      void reply.header('cache-control', 'public, max-age=86400');
      return reply.type('text/plain; charset=utf-8').send(securityText(config, clock.now()));
    });
  };
}

function securityText(
  { SECURITY_CONTACT, SECURITY_POLICY_URL, BASE_URL }: Deps['config'],
  now: Date,
): string {
  // A configured service vouches for its contact; whole days keep the copies of one day equal.
  const expires = new Date((Math.floor(now.getTime() / dayMs) + validDays) * dayMs);
  return [
    ...SECURITY_CONTACT.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    `Canonical: ${BASE_URL}/.well-known/security.txt`,
    ...(SECURITY_POLICY_URL === undefined ? [] : [`Policy: ${SECURITY_POLICY_URL}`]),
    'Preferred-Languages: en',
    '',
  ].join('\n');
}
