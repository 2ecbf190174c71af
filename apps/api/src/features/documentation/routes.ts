import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { OpenApi } from './page/document.ts';
import { renderPage } from './page/page.ts';
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
  const page = once(async () =>
    servedText(
      'text/html; charset=utf-8',
      renderPage({ document: await readDocument(), baseUrl: config.BASE_URL, style, script }),
    ),
  );

  return async (app) => {
    app.get('/openapi.json', async (request, reply) => {
      // It is public: any page may read it, such as another reference or a client generator.
      void reply.header('access-control-allow-origin', '*');
      return sendServed({ request, reply }, await json());
    });

    app.get('/docs', async (request, reply) => {
      void reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
      return sendServed({ request, reply }, await page());
    });
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
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Built on the first request: most processes of a fleet never get one. */
function once(make: () => Promise<ServedText>): () => Promise<ServedText> {
  let made: Promise<ServedText> | undefined;
  return () => (made ??= make());
}
