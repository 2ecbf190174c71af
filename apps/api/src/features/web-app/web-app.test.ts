import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { operations } from '@atelier/contract';
import { send, startTestApi } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

const directory = mkdtempSync(join(tmpdir(), 'web-app-'));
const page = `<!doctype html><title>The app</title>`;
const script = `console.log(${JSON.stringify('the app '.repeat(500))});`;
const asPage = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
mkdirSync(join(directory, '_app'));
mkdirSync(join(directory, '.vite'));
writeFileSync(join(directory, 'index.html'), page);
const sharePage = `<!doctype html><title>Shared files</title>${' '.repeat(2000)}`;
writeFileSync(join(directory, 'share.html'), sharePage);
writeFileSync(join(directory, 'share.html.br'), brotliCompressSync(sharePage));
writeFileSync(join(directory, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
writeFileSync(join(directory, 'worker.js'), script);
writeFileSync(join(directory, '.vite', 'manifest.json'), '{}');
const file = join(directory, '_app', 'index-a1B2.js');
writeFileSync(file, script);
writeFileSync(`${file}.br`, brotliCompressSync(script));
writeFileSync(`${file}.gz`, gzipSync(script));
writeFileSync(join(directory, '_app', 'pdf.worker.min-a1B2.mjs'), script);
writeFileSync(join(directory, '..', 'outside.txt'), 'not to be read');
afterAll(() => rmSync(directory, { recursive: true }));

const api = await setUpApi({
  WEB_APP_DIR: directory,
  S3_PUBLIC_ENDPOINT: 'https://files.example.com/base',
});

/** Sends a raw request, with nothing normalized and nothing decompressed. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = new URL(api.url);
  return new Promise<{ status: number; headers: Headers; body: Buffer }>((resolve, reject) => {
    const sent = httpRequest({ port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headers as Record<string, string>),
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the page of the app', () => {
  test.each([
    '/',
    '/login',
    '/projects/0198-x?task=1',
    '/assets/0198',
    '/invitations/abc.def',
    '/nothing/at/all',
    '/docsy',
  ])('is served at %s', async (path) => {
    const response = await get(path, asPage);
    expect([response.status, response.body.toString()]).toEqual([200, page]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('vary')).toMatch(/accept\b.*accept-encoding/i);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  test('has a policy that allows its own files and the storage, nothing inline', async () => {
    const policy = (await get('/login', asPage)).headers.get('content-security-policy') ?? '';
    const directives = Object.fromEntries(
      policy.split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources];
      }),
    );
    expect(directives).toEqual({
      'default-src': [`'none'`],
      'script-src': [`'self'`],
      'worker-src': [`'self'`],
      'style-src': [`'self'`],
      'font-src': [`'self'`],
      'connect-src': [`'self'`, 'https://files.example.com'],
      'img-src': [`'self'`, 'https://files.example.com', 'blob:'],
      'media-src': [`'self'`, 'https://files.example.com', 'blob:'],
      'base-uri': [`'none'`],
      'form-action': [`'none'`],
      'frame-ancestors': [`'none'`],
    });
  });

  test('is a 304 when unchanged', async () => {
    const first = await get('/', asPage);
    const eTag = String(first.headers.get('etag'));
    const again = await get('/login', { ...asPage, 'if-none-match': eTag });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await get('/login', { ...asPage, 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('responds to HEAD like GET, without the page', async () => {
    const head = await get('/login', asPage, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers.get('content-length')).toBe(String(page.length));
  });

  test('ignores preconditions for changes', async () => {
    const headers = { ...asPage, 'if-match': '"x"', 'if-unmodified-since': 'Thu, 01 Jan 1970' };
    expect((await get('/login', headers)).status).toBe(200);
  });
});

describe('the page of share links', () => {
  test('is a document of its own, served like that of the app', async () => {
    const own = await get('/share?from=mail', asPage);
    expect([own.status, own.body.toString()]).toEqual([200, sharePage]);
    const app = await get('/login', asPage);
    const kept = ['content-security-policy', 'referrer-policy', 'cache-control', 'content-type'];
    const served = ({ headers }: { headers: Headers }) => kept.map((name) => headers.get(name));
    expect(served(own)).toEqual(served(app));
    expect(own.headers.get('vary')).toMatch(/accept\b.*accept-encoding/i);
    const small = await get('/share', { ...asPage, 'accept-encoding': 'br' });
    expect(brotliDecompressSync(small.body).toString()).toBe(sharePage);
    const again = await get('/share', {
      ...asPage,
      'if-none-match': String(own.headers.get('etag')),
    });
    expect(again.status).toBe(304);
  });

  test('is not found by programs, and nothing below it has it', async () => {
    for (const accept of ['application/json', '*/*']) {
      expect((await get('/share', { accept })).status).toBe(404);
    }
    for (const path of ['/shares', '/share/more']) {
      expect((await get(path, asPage)).body.toString(), path).toBe(page);
    }
  });
});

describe('files of the app', () => {
  test('are compressed as the client accepts, and immutable', async () => {
    const tags = new Set<string | null>();
    for (const [accepted, encoding, decode] of [
      ['br, gzip', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['identity', null, (body: Buffer) => body],
    ] as const) {
      const response = await get('/_app/index-a1B2.js', { 'accept-encoding': accepted });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('content-type')).toMatch(/\/javascript; charset=utf-8$/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('vary')).toMatch(/accept-encoding/i);
      expect(decode(response.body).toString()).toBe(script);
      tags.add(response.headers.get('etag'));
    }
    expect(tags.size).toBe(3);
  });

  test('without a hash are revalidated', async () => {
    const icon = await get('/icon.svg');
    expect([icon.status, icon.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(icon.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    const eTag = String(icon.headers.get('etag'));
    expect((await get('/icon.svg', { 'if-none-match': eTag })).status).toBe(304);
  });
});

test('the service worker may control every page, and is never kept beyond its deployment', async () => {
  const { status, headers } = await get('/worker.js');
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(headers.get('content-type')).toMatch(/\/javascript; charset=utf-8$/);
  // The policy of the API's responses would let it fetch nothing.
  expect(headers.get('content-security-policy')).toContain(`connect-src 'self'`);
  expect((await get('/worker-gone.js', asPage)).status).toBe(404);
});

test('the worker that reads PDFs may compile its decoders, fetch nothing and run no other script', async () => {
  const { status, headers } = await get('/_app/pdf.worker.min-a1B2.mjs');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/\/javascript; charset=utf-8$/);
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src 'wasm-unsafe-eval'`,
  );
  const other = (await get('/_app/index-a1B2.js')).headers.get('content-security-policy');
  expect(other).not.toContain('wasm');
});

describe('all other paths belong to the API', () => {
  test.each([
    ['GET', '/api/nothing'],
    ['GET', '/API/nothing'],
    ['GET', '/api'],
    ['GET', '/s/one/two'],
    ['GET', '/health/nothing'],
    ['GET', '/docs/nothing'],
    ['GET', '/_app/'],
    ['GET', '/_app/gone-a1B2.js'],
    ['GET', '/_app/../index.html'],
    ['GET', '/_app/..%2f..%2foutside.txt'],
    ['GET', '/_app/../../outside.txt'],
    ['GET', '/outside.txt'],
    ['GET', '/favicon.ico'],
    ['POST', '/login'],
    ['PUT', '/'],
    ['DELETE', '/icon.svg'],
  ])('%s %s is not found, in the common format of errors', async (method, path) => {
    const response = await get(path, asPage, method);
    expect(response.status).toBe(404);
    expect(JSON.parse(response.body.toString())).toMatchObject({
      code: 'route_not_found',
      message: expect.any(String),
      requestId: response.headers.get('x-request-id'),
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test.each(['/.vite/manifest.json', '/_app/.hidden'])('%s is not served', async (path) => {
    const response = await get(path, { accept: '*/*' });
    expect(response.status).toBe(404);
  });

  test('a program with a wrong path does not get the page', async () => {
    for (const accept of ['application/json', '*/*', '']) {
      const response = await get('/projects', { accept });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
      expect(response.headers.get('vary')).toMatch(/accept/i);
    }
  });

  test('every path of the contract responds itself, with any method', async () => {
    for (const { endpoint } of operations) {
      const path = endpoint.path.replaceAll(/:\w+/g, 'x');
      const response = await get(path, { ...asPage, accept: 'text/html' });
      expect(response.headers.get('content-type') ?? '', path).not.toContain('text/html');
    }
    expect((await get('/docs', asPage)).body.toString()).toContain('auth.login');
    expect((await send(api, '/openapi.json')).body.openapi).toBeTruthy();
    expect((await get('/health', asPage)).status).toBe(200);
    expect((await get('/api/auth/login', asPage)).status).toBe(405);
  });
});

test('a program at the bare address hears what is here', async () => {
  const alone = await startTestApi();
  try {
    for (const one of [alone, api]) {
      const response = await send(one, '/', { headers: { accept: '*/*' } });
      expect([response.status, response.headers.get('vary')]).toEqual([200, 'Accept']);
      for (const address of ['documentation', 'openapi', 'health']) {
        const { pathname } = new URL(response.body[address]);
        expect((await send(one, pathname)).status).toBe(200);
      }
    }
  } finally {
    await alone.close();
  }
});

test('without a directory there are no pages', async () => {
  const alone = await startTestApi();
  try {
    const response = await send(alone, '/', { headers: asPage });
    expect([response.status, response.body.code]).toEqual([404, 'route_not_found']);
  } finally {
    await alone.close();
  }
});

test('a directory that is filled later is served from then on', async () => {
  const later = join(directory, 'later');
  const early = await startTestApi({ WEB_APP_DIR: later });
  try {
    const before = await send(early, '/', { headers: asPage });
    expect([before.status, before.body.code]).toEqual([404, 'route_not_found']);
    mkdirSync(later);
    writeFileSync(join(later, 'index.html'), page);
    expect((await send(early, '/', { headers: asPage })).text).toBe(page);
  } finally {
    await early.close();
  }
});
