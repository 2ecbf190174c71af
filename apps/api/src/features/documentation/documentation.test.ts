// @module-tag slow

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { operations, webhookEventTypes } from '@atelier/contract';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

interface AxeResult {
  readonly violations: readonly { id: string; nodes: { html: string }[] }[];
  readonly passes: readonly unknown[];
}

const api = await setUpApi();

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

describe.each(['/openapi.json', '/docs'])('%s', (path) => {
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
    expect((await send(api, `${path}/more`)).status).toBe(404);
  });
});

describe('/docs', () => {
  test('has an anchor for every operation and no broken link', async () => {
    const page = await (await get('/docs')).text();
    const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const { id } of operations) expect(anchors).toContain(id);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((id) => !anchors.has(id))).toEqual([]);
  });

  test('lists each message of webhooks, with its headers', async () => {
    const page = await (await get('/docs')).text();
    const section = /<section id="messages"[^]*?<\/section>/.exec(page)?.[0] ?? '';
    for (const event of webhookEventTypes) expect(section).toContain(`id="message-${event}"`);
    for (const name of ['id', 'timestamp', 'signature']) {
      expect(section).toContain(`<code class="name">webhook-${name}</code>`);
    }
    expect(section).toMatch(/2XX[^]*15 seconds[^]*410[^]*disabled/);
    expect(section).toContain('<a href="#schema-WebhookMessage">');
  });

  test('names this deployment in its examples', async () => {
    const page = await (await get('/docs')).text();
    expect(page).toContain(`${api.config.BASE_URL}/api/auth/login`);
  });

  test('shows live updates as a stream, with every kind of message', async () => {
    const page = await (await get('/docs')).text();
    const section = /<article id="events.subscribe"[^]*?<\/article>/.exec(page)?.[0] ?? '';
    expect(section).toContain(`curl -N &#39;${api.config.BASE_URL}/api/events&#39;`);
    expect(section).toContain('of subscribe(api)');
    expect(section).toMatch(/stream of <a href="#schema-LiveMessage">/);
    const schema = /<article\s+id="schema-LiveMessage"[^]*?<\/article>/.exec(page)?.[0] ?? '';
    for (const kind of ['ready', 'activity', 'reset', 'closed']) {
      expect(section).toContain(`event: ${kind}\n`);
      expect(schema).toContain(`&quot;${kind}&quot;`);
    }
  });
});

const executablePath = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium'].find(existsSync);
if (!executablePath) console.warn('no Chromium: /docs is not tried in a browser');

describe.skipIf(!executablePath)('/docs in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: String(executablePath),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    });
  });
  afterAll(() => browser.close());

  const open = async (width: number, colorScheme: 'light' | 'dark') => {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${api.url}/docs`);
    return { page, requested, complaints };
  };

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
    expect(complaints.join()).toContain('Content Security Policy');
    await page.close();
  });

  test.each([360, 768, 1280, 1920])('fits a window of %i pixels', async (width) => {
    const { page } = await open(width, 'light');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.close();
  });

  test('supports the keyboard: skips to the content, unfolds errors', async () => {
    const { page } = await open(1280, 'light');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    const errors = page.locator('[id="assets.get"] details');
    await errors.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await errors.getAttribute('open')).toBe('');
    await page.close();
  });

  // Checking the colours of the whole page takes a minute; one group has every kind of them.
  const part = { include: ['header', 'nav', '.introduction', '#group-comments', '#schema-Task'] };
  test.each([
    ['every rule but contrast, whole', 1440, 'light', 'document', ['color-contrast']],
    ['every rule, in light', 1440, 'light', JSON.stringify(part), []],
    ['every rule, in dark and narrow', 360, 'dark', JSON.stringify(part), []],
  ] as const)(
    'has no finding of axe: %s',
    async (_what, width, scheme, context, without) => {
      const { page } = await open(width, scheme);
      const axe = readFileSync(
        createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
        'utf8',
      );
      const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
      const result = await page.evaluate<AxeResult>(
        `${axe}; axe.run(${context}, ${JSON.stringify({ rules })})`,
      );
      expect(result.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(result.passes.length).toBeGreaterThan(10);
      await page.close();
      // Every rule over the whole page takes 100 s of a processor.
    },
    300_000,
  );
});
