// @module-tag slow

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { errorCatalogue, operations, webhookEventTypes } from '@atelier/contract';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../testing/api.ts';
import { findingsOfAxe, hasChromium, launchChromium } from '../../testing/chromium.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${api.url}${path}`, { method, headers, redirect: 'manual' });

describe('/openapi.json', () => {
  test('is the committed document with the address of the service, minified, readable from any origin', async () => {
    const response = await get('/openapi.json', { origin: 'https://elsewhere.example' });
    const text = await response.text();
    const committed = readFileSync(
      createRequire(import.meta.url).resolve('@atelier/contract/openapi.json'),
      'utf8',
    );
    expect(JSON.parse(text)).toEqual({
      ...JSON.parse(committed),
      servers: [{ url: 'https://api.example.com' }],
    });
    expect(text).not.toContain('\n');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe.each(['/openapi.json', '/docs', '/docs/schemas'])('%s', (path) => {
  test('is compressed as the client accepts, each encoding with its own ETag', async () => {
    const tags = new Set<string | null>();
    for (const [accepted, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await get(path, { 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect((await response.text()).length).toBeGreaterThan(100_000);
      tags.add(response.headers.get('etag'));
    }
    expect(tags.size).toBe(3);
  });

  test('is cacheable, and a 304 when unchanged', async () => {
    const first = await get(path);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    const eTag = String(first.headers.get('etag'));
    const again = await get(path, { 'if-none-match': eTag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', eTag]);
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('responds to HEAD without a body, and to no other method', async () => {
    const head = await get(path, {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    const response = await get(path, {}, 'POST');
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'route_not_found' }),
    ]);
    expect((await send(api, `${path}/more/of/it`)).status).toBe(404);
    expect((await send(api, '/docs/__proto__')).status).toBe(404);
  });
});

const textOf = async (path: string) => (await get(path)).text();
const groups = [...new Set(operations.map(({ id }) => id.split('.')[0]))];
const paths = [
  '/docs',
  ...[...groups, 'messages', 'schemas', 'schemas-o-z'].map((name) => `/docs/${name}`),
];

describe('/docs', () => {
  test('has a page for each group, an anchor for every operation and error, and no broken link', async () => {
    const anchors = new Map<string, ReadonlySet<string | undefined>>();
    const targets: [string, string][] = [];
    for (const path of paths) {
      const page = await textOf(path);
      anchors.set(path, new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)));
      for (const [, target = ''] of page.matchAll(/href="([^"]*#[^"]+)"/g)) {
        const [there, id = ''] = target.split('#');
        targets.push([there || path, id]);
      }
    }
    for (const { id } of operations) {
      expect(anchors.get('/docs')).toContain(id);
      expect(anchors.get(`/docs/${id.split('.')[0]}`)).toContain(id);
    }
    for (const code of Object.keys(errorCatalogue)) {
      expect(anchors.get('/docs')).toContain(`error-${code}`);
    }
    expect(targets.filter(([path, id]) => !anchors.get(path)?.has(id))).toEqual([]);
    expect(targets.length).toBeGreaterThan(1000);
  });

  test.each(paths)('%s loads in 60 kB, with gzip', async (path) => {
    expect(gzipSync(await textOf(path)).length).toBeLessThan(60_000);
  });

  test('lists each message of webhooks, with its headers', async () => {
    const page = await textOf('/docs/messages');
    const section = /<section id="messages"[^]*?<\/section>/.exec(page)?.[0] ?? '';
    for (const event of webhookEventTypes) expect(section).toContain(`id="message-${event}"`);
    for (const name of ['id', 'timestamp', 'signature']) {
      expect(section).toContain(`<code class="name">webhook-${name}</code>`);
    }
    expect(section).toMatch(/2XX[^]*15 seconds[^]*410[^]*disabled/);
    expect(section).toContain('<a href="/docs/schemas-o-z#schema-WebhookMessage">');
  });

  test('names this deployment in its examples', async () => {
    const page = await textOf('/docs');
    expect(page).toContain(`${api.config.BASE_URL}/api/auth/login`);
  });

  test('shows live updates as a stream, with every kind of message', async () => {
    const page = await textOf('/docs/events');
    const section = /<article id="events.subscribe"[^]*?<\/article>/.exec(page)?.[0] ?? '';
    expect(section).toContain(`curl -N &#39;${api.config.BASE_URL}/api/events&#39;`);
    expect(section).toContain('of subscribe(api)');
    expect(section).toMatch(/stream of <a href="\/docs\/schemas#schema-LiveMessage">/);
    const schemas = await textOf('/docs/schemas');
    const schema = /<article\s+id="schema-LiveMessage"[^]*?<\/article>/.exec(schemas)?.[0] ?? '';
    for (const kind of ['ready', 'activity', 'reset', 'closed']) {
      expect(section).toContain(`event: ${kind}\n`);
      expect(schema).toContain(`&quot;${kind}&quot;`);
    }
  });
});

describe.skipIf(!hasChromium)('/docs in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  const open = async (width: number, colorScheme: 'light' | 'dark', path = '/docs') => {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${api.url}${path}`);
    return { page, requested, complaints };
  };
  const article = (page: Page, id: string) => page.locator(`article[id="${id}"]`);

  test('loads only itself, and its own policy blocks none of it', async () => {
    const { page, requested, complaints } = await open(1280, 'light');
    await page.waitForLoadState('networkidle');
    expect(requested.filter((url) => !url.startsWith('data:'))).toEqual([`${api.url}/docs`]);
    expect(complaints).toEqual([]);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('nav')).position`)).toBe(
      'sticky',
    );
    await page.close();
  });

  test('refuses a script that is not its own', async () => {
    const { page, complaints } = await open(1280, 'light');
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken over"';
      document.body.append(script);
    }`);
    expect(await page.title()).not.toBe('taken over');
    await expect.poll(() => complaints.join()).toContain('Content Security Policy');
    await page.close();
  });

  test.each([360, 390, 768, 1280, 1920])('fits a window of %i pixels', async (width) => {
    const { page } = await open(width, 'light');
    for (const path of ['/docs', '/docs/assets', '/docs/messages', '/docs/schemas']) {
      await page.goto(`${api.url}${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(width);
    }
    await page.close();
  });

  test('leads former addresses of operations and schemas to their pages', async () => {
    const { page } = await open(1280, 'light', '/docs#assets.get');
    await expect.poll(() => page.url()).toBe(`${api.url}/docs/assets#assets.get`);
    await page.goto(`${api.url}/docs#schema-Task`);
    await expect.poll(() => page.url()).toBe(`${api.url}/docs/schemas-o-z#schema-Task`);
    await page.close();
  });

  test('can be searched at an address with a percent sign that encodes nothing', async () => {
    const { page, complaints } = await open(1280, 'light', '/docs#%');
    await page.getByLabel('Search').fill('totp');
    await page.getByText(/^\d+ found$/).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('finds operations, errors and schemas by words, and opens the first by Enter', async () => {
    const { page } = await open(1280, 'light');
    await page.keyboard.press('/');
    await page.keyboard.type('restore version');
    await page.getByText('2 found').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${api.url}/docs/assets#assets.restoreVersion`);
    const found = page.getByRole('navigation').getByRole('listitem');
    await page.getByLabel('Search').fill('totp');
    expect(await found.filter({ hasText: /totp/i }).count()).toBeGreaterThan(1);
    await page.getByLabel('Search').fill('precondition_failed');
    await found.getByRole('link', { name: 'precondition_failed' }).click();
    await page.waitForURL(`${api.url}/docs#error-precondition_failed`);
    await page.getByLabel('Search').fill('nothing like this');
    await page.getByText('0 found').waitFor();
    await page.close();
  });

  test('sends a request with the session of the app, and shows it in curl and TypeScript', async () => {
    const { page, complaints } = await open(1280, 'light', '/docs/projects');
    await page.evaluate(`localStorage.setItem('svc_token', ${JSON.stringify(user.token)})`);
    await article(page, 'projects.create')
      .getByRole('button', { name: 'Try it: projects.create' })
      .click();
    const form = page.getByRole('form', { name: 'Try it: projects.create' });
    await form.getByLabel('Body').fill('{ "name": "Tried\'s" }');
    expect(await form.getByRole('group', { name: 'This request with curl' }).textContent()).toMatch(
      /^curl -X POST '.*\/api\/projects'[^]*Bearer \$TOKEN[^]*-d '\{ "name": "Tried'\\''s" \}'$/,
    );
    expect(
      await form.getByRole('group', { name: 'This request with @atelier/client' }).textContent(),
    ).toBe(`const response = await api.projects.create({ body: { "name": "Tried's" } });`);
    await form.getByRole('button', { name: 'Send POST' }).click();
    const response = form.getByRole('group', { name: /^Response 201 after \d+ ms$/ });
    expect(await response.textContent()).toContain(`"name": "Tried's"`);
    expect(await form.getByRole('group', { name: 'Its headers' }).textContent()).toMatch(
      /x-request-id: /,
    );
    expect(complaints).toEqual([]);
    expect((await findingsOfAxe(page, { context: `'form.trying'` })).findings).toEqual([]);
    await page.close();
  });

  test('takes a pasted token, explains an error, and asks before it takes something away', async () => {
    const { page } = await open(390, 'dark', '/docs/sessions');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.method()));
    await article(page, 'sessions.end')
      .getByRole('button', { name: 'Try it: sessions.end' })
      .click();
    const form = page.getByRole('form', { name: 'Try it: sessions.end' });
    await form.getByLabel('Token').fill('not a token');
    await form.getByRole('button', { name: 'Send DELETE' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send this request?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(requests).toEqual([]);
    await form.getByRole('button', { name: 'Send DELETE' }).click();
    expect((await findingsOfAxe(page, { context: `'dialog'` })).findings).toEqual([]);
    await dialog.getByRole('button', { name: 'Send it' }).click();
    await form.getByRole('group', { name: /^Response 401/ }).waitFor();
    expect(requests).toEqual(['DELETE']);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await form.getByRole('link', { name: 'unauthenticated' }).click();
    await page.waitForURL(`${api.url}/docs#error-unauthenticated`);
    await page.close();
  });

  test('supports the keyboard: skips to the content, unfolds errors', async () => {
    const { page } = await open(1280, 'light', '/docs/assets');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    const errors = article(page, 'assets.get').locator('details');
    await errors.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await errors.getAttribute('open')).toBe('');
    await page.close();
  });

  test.each([
    ['light', 1440, '/docs'],
    ['dark', 360, '/docs'],
    ['light', 1440, '/docs/comments'],
    ['dark', 360, '/docs/messages'],
  ] as const)('has no finding of axe, in %s, %i pixels wide: %s', async (scheme, width, path) => {
    const { page } = await open(width, scheme, path);
    const { findings, passed } = await findingsOfAxe(page);
    expect(findings).toEqual([]);
    expect(passed).toBeGreaterThan(10);
    await page.close();
  });

  // Checking the colours of all schemas takes a minute; some have every kind of them.
  test.each([
    ['schemas', 'document', ['color-contrast']],
    ['schemas', `{ include: ['#schema-Notification'] }`, []],
    ['schemas-o-z', `{ include: ['#schema-Task'] }`, []],
  ] as const)('has no finding of axe in %s: %s', async (name, context, without) => {
    const { page } = await open(1440, 'light', `/docs/${name}`);
    expect((await findingsOfAxe(page, { context, without })).findings).toEqual([]);
    await page.close();
  });
});
