import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../kernel/errors.ts';
import { webAppPathOf } from './paths.ts';
import { contentSecurityPolicy } from './policy.ts';

const page = 'index.html';

/**
 * The built web app on the API's own origin, when a directory is configured: its files, and its page
 * for every address that is not the API's. Registered last, since it takes what nobody else does.
 */
export function webAppFeature({ config, log }: Deps): FastifyPluginAsync {
  const { WEB_APP_DIR, S3_PUBLIC_ENDPOINT = config.S3_ENDPOINT } = config;
  const pageHeaders = {
    'content-security-policy': contentSecurityPolicy(S3_PUBLIC_ENDPOINT),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
  };

  return async (app) => {
    if (!WEB_APP_DIR) return;
    const root = resolve(WEB_APP_DIR);
    // Only where there are files to send.
    const { default: fastifyStatic } = await import('@fastify/static');
    if (!existsSync(join(root, page))) {
      log.warn(`WEB_APP_DIR has no ${page} yet; the app's pages are not found until it has one`);
    }
    // A file that isn't there is not found like any other path.
    app.setNotFoundHandler(() => {
      throw new Failure('route_not_found');
    });
    await app.register(fastifyStatic, {
      root,
      serve: false,
      preCompressed: true,
      // Ranges of compressed files help nobody.
      acceptRanges: false,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: keepAsLongAsItIsTrue,
    });

    app.get('/*', async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      // A condition for changes means nothing to a file that can't be changed.
      delete request.headers['if-match'];
      delete request.headers['if-unmodified-since'];
      switch (webAppPathOf(path)) {
        case 'file':
          return reply.sendFile(path.slice(1));
        case 'page':
          return sendPage(request, reply);
        case 'none':
          throw new Failure('route_not_found');
      }
    });
  };

  /** Only to whoever wants a page: a program that mistakes an address gets the API's answer. */
  function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    void reply.header('vary', 'Accept');
    if (!request.headers.accept?.includes('text/html')) throw new Failure('route_not_found');
    return reply.headers(pageHeaders).sendFile(page);
  }
}

/** Files below `_app` are named after their content; the others may be other ones at the next visit. */
function keepAsLongAsItIsTrue(reply: FastifyReply, path: string): void {
  const isHashed = /[/\\]_app[/\\]/.test(path);
  void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
}
