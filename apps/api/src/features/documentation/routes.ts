import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../kernel/errors.ts';
import type { OpenApi } from './page/document.ts';
import { renderPages } from './page/page.ts';
import { sendServed, servedText, type ServedText } from './served.ts';

const style = readFileSync(new URL('page/style.css', import.meta.url), 'utf8');
const script = readFileSync(new URL('page/script.js', import.meta.url), 'utf8');

/**
 * Serves the contract to readers: `/openapi.json` for programs, `/docs` for people. These are documents, not
 * operations: the contract doesn't contain itself.
 */
export function documentationFeature({ config }: Deps): FastifyPluginAsync {
  const json = once(async () =>
    servedText(
      'application/json; charset=utf-8',
      JSON.stringify({ ...(await readDocument()), servers: [{ url: config.BASE_URL }] }),
    ),
  );
  const pages = once(async () => {
    const context = { document: await readDocument(), baseUrl: config.BASE_URL };
    return renderPages({ ...context, style, script });
  });
  const served = new Map<string, Promise<ServedText>>();

  return async (app) => {
    app.get('/openapi.json', async (request, reply) => {
      // It is public: any page may read it, such as another reference or a client generator.
      void reply.header('access-control-allow-origin', '*');
      return sendServed({ request, reply }, await json());
    });

    const sendPage = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
      const text = (await pages()).get(name);
      if (text === undefined) throw new Failure('route_not_found');
      const compressed = served.get(name) ?? servedText('text/html; charset=utf-8', text);
      served.set(name, compressed);
      void reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
      return sendServed({ request, reply }, await compressed);
    };
    app.get('/docs', (request, reply) => sendPage(request, reply, ''));
    app.get<{ Params: { name: string } }>('/docs/:name', (request, reply) =>
      sendPage(request, reply, request.params.name),
    );
  };
}

/** The committed document, as the contract's generator writes it. */
async function readDocument(): Promise<OpenApi> {
  const { default: document } = await import('@atelier/contract/openapi.json', {
    with: { type: 'json' },
  });
  return document as unknown as OpenApi;
}

/** Loads nothing from elsewhere; digests allow the page's own style and script. */
const policy = [
  `default-src 'none'`,
  `style-src '${digestOf(style)}'`,
  `script-src '${digestOf(script)}'`,
  // Requests that the reader tries.
  `connect-src 'self'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Built on the first request: most processes of a fleet never get one. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
