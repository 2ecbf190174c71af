import { deprecationHeaders } from '@atelier/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { metadataOf } from './requests.ts';

/** Sets headers on every response of the routes that have their own, including refusals. Other routes don't pay for them. */
export function addRouteHeaders(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const headers = { ...deprecationOf(route), ...robotsOf(route) };
    if (Object.keys(headers).length === 0) return;
    route.onSend = [route.onSend ?? []].flat();
    // oxlint-disable-next-line eslint/max-params -- what the framework calls it with
    route.onSend.push((_request, reply, payload, done) => {
      reply.headers(headers);
      done(null, payload);
    });
  });
}

function deprecationOf({ config }: RouteOptions) {
  const deprecated = metadataOf(config)?.deprecated;
  return deprecated && deprecationHeaders(deprecated);
}

/** Keeps what visitors of shares get out of search engines. */
function robotsOf({ url }: RouteOptions) {
  return url.startsWith('/api/public/share') ? { 'x-robots-tag': 'noindex' } : undefined;
}
