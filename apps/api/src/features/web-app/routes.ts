import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../kernel/errors.ts';
import { webAppPathOf } from './paths.ts';
import { contentSecurityPolicy } from './policy.ts';

const page = 'index.html';
const sharePage = 'share.html';
const worker = '/worker.js';
const pdfWorker = /^\/_app\/pdf\.worker[\w.-]*\.mjs$/;
/** It fetches nothing itself. Its decoders of scanned pictures are WebAssembly. */
const pdfWorkerPolicy = `default-src 'none'; script-src 'wasm-unsafe-eval'`;

/**
 * Serves the built web app on the API's own origin, when a directory is configured: its files, its page for
 * every address outside the API, and the page of share links. Registered last, because it handles all remaining paths.
 */
export function webAppFeature({ config, log }: Deps): FastifyPluginAsync {
  const { BASE_URL, WEB_APP_DIR, S3_PUBLIC_ENDPOINT = config.S3_ENDPOINT } = config;
  const policy = contentSecurityPolicy(S3_PUBLIC_ENDPOINT);
  const pageHeaders = {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
  };

  return async (app) => {
    if (!WEB_APP_DIR) {
      app.get('/', async (request, reply) => sendOverview(request, reply));
      return;
    }
    const root = resolve(WEB_APP_DIR);
    // Only when there are files to send.
    const { default: fastifyStatic } = await import('@fastify/static');
    if (!existsSync(join(root, page))) {
      log.info(`WEB_APP_DIR has no ${page} yet; the app's pages are not found until it has one`);
    }
    // A missing file is a 404 like any other path.
    app.setNotFoundHandler(() => {
      throw new Failure('route_not_found');
    });
    await app.register(fastifyStatic, {
      root,
      serve: false,
      preCompressed: true,
      // Ranges of compressed files are useless.
      acceptRanges: false,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: keepAsLongAsItIsTrue,
    });

    app.get('/*', async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      // Preconditions for changes don't apply to a read-only file.
      delete request.headers['if-match'];
      delete request.headers['if-unmodified-since'];
      switch (webAppPathOf(path)) {
        case 'file':
          // The service worker has a policy of its own, and fetches files of the app.
          if (path === worker) void reply.header('content-security-policy', policy);
          if (pdfWorker.test(path)) void reply.header('content-security-policy', pdfWorkerPolicy);
          return reply.sendFile(path.slice(1));
        case 'page':
          if (path === '/' && !wantsPage(request)) return sendOverview(request, reply);
          return sendPage(request, reply, page);
        case 'share':
          return sendPage(request, reply, sharePage);
        case 'none':
          throw new Failure('route_not_found');
      }
    });
  };

  /** Only for clients that accept HTML: a program with a mistyped address gets the API's error. */
  function sendPage(request: FastifyRequest, reply: FastifyReply, file: string): FastifyReply {
    void reply.header('vary', 'Accept');
    if (!wantsPage(request)) throw new Failure('route_not_found');
    return reply.headers(pageHeaders).sendFile(file);
  }

  /** Tells a program at the bare address what is here. */
  function sendOverview(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    void reply.header('vary', 'Accept');
    if (wantsPage(request)) throw new Failure('route_not_found');
    return reply.send({
      name: 'Atelier API',
      documentation: `${BASE_URL}/docs`,
      openapi: `${BASE_URL}/openapi.json`,
      health: `${BASE_URL}/health`,
    });
  }
}

const wantsPage = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') ?? false;

/** Files below `_app` are named after their content; all others may change between two visits. */
function keepAsLongAsItIsTrue(reply: FastifyReply, path: string): void {
  const isHashed = /[/\\]_app[/\\]/.test(path);
  void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
}
