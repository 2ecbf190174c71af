import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../src/index.ts';
import { startAccounts, type Accounts } from '../src/testing/accounts.ts';
import { failure, type Reply } from '../src/testing/service.ts';
import { bundleClient, findChromium, insecureHost, launch } from './testing/chromium.ts';

const executablePath = findChromium();
const html = `<!doctype html><title>Tab</title><script type="module">
import { createClient, localStorageTokens } from '/client.js';
globalThis.api = createClient({ baseUrl: location.origin, tokens: localStorageTokens() });
</script>`;
const runs = 20;
const callsPerTab = 20;

let browser: Browser;
let service: Accounts;
/** How many responses to refreshes are lost from now on. Not by a broken connection, after which Chromium itself repeats them. */
let toLose = 0;
beforeAll(async () => {
  if (!executablePath) return;
  const script = await bundleClient();
  const pages: Record<string, Reply> = {
    '/': { status: 200, body: html },
    '/client.js': { status: 200, body: script, headers: { 'content-type': 'text/javascript' } },
  };
  service = await startAccounts({
    before: ({ path }) => pages[path],
    lost: () => (toLose-- > 0 ? failure(503, 'service_unavailable') : undefined),
  });
  browser = await launch(executablePath);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

/** Opens tabs that share their storage. */
async function openTabs(context: BrowserContext, origin: string, count = 3): Promise<Page[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const tab = await context.newPage();
      await tab.goto(origin);
      return tab;
    }),
  );
}

/** Stores a pair whose access token has expired, as in a tab that was left open. */
async function storeExpiredPair(tab: Page): Promise<void> {
  const { accessToken, refreshToken } = service.expiredPair();
  await tab.evaluate(
    ([access, refresh]) => {
      // In the order of the client: other tabs that see the access token have the rest.
      localStorage.removeItem('svc_refresh_key');
      localStorage.setItem('svc_refresh_token', refresh);
      localStorage.setItem('svc_token', access);
    },
    [accessToken, refreshToken] as const,
  );
}

/** Makes calls in parallel. @returns how many succeeded */
function callInParallel(tab: Page, count = callsPerTab): Promise<number> {
  return tab.evaluate(async (length) => {
    const { api } = globalThis as unknown as { api: Client };
    const calls = Array.from({ length }, () => api.auth.user());
    const outcomes = await Promise.allSettled(calls);
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  }, count);
}

describe.skipIf(!executablePath).each([
  { what: 'with Web Locks', host: '127.0.0.1', hasLocks: true },
  { what: 'on plain HTTP, without Web Locks', host: insecureHost, hasLocks: false },
])('three tabs $what', ({ host, hasLocks }) => {
  test(`of ${callsPerTab} calls each cost one refresh, ${runs} times`, async () => {
    const origin = service.url.replace('127.0.0.1', host);
    const context = await browser.newContext();
    const tabs = await openTabs(context, origin);
    const [first] = tabs;
    if (!first) throw new Error('unreachable: there are three tabs');
    expect(await first.evaluate(() => 'locks' in navigator)).toBe(hasLocks);
    expect(await first.evaluate(() => 'randomUUID' in crypto)).toBe(hasLocks);

    for (let run = 1; run <= runs; run++) {
      await storeExpiredPair(first);
      const before = service.refreshes();
      const succeeded = await Promise.all(tabs.map((tab) => callInParallel(tab)));
      expect(succeeded, `run ${run}`).toEqual([callsPerTab, callsPerTab, callsPerTab]);
      expect(service.refreshes() - before, `refreshes of run ${run}`).toBe(1);
    }
    await context.close();
  });

  test('lost responses sign out no tab, also when all tabs are loaded again', async () => {
    const origin = service.url.replace('127.0.0.1', host);
    const context = await browser.newContext();
    const tabs = await openTabs(context, origin);
    const [first] = tabs;
    if (!first) throw new Error('unreachable: there are three tabs');
    // As the client stores it: the key of the pair beside it.
    await storeExpiredPair(first);
    await first.evaluate(() => localStorage.setItem('svc_refresh_key', 'k'.repeat(32)));
    const before = service.requests.length;
    toLose = 4;
    // Its refresh is given up after three attempts. Of several calls, one that is refused later would begin another refresh.
    expect(await callInParallel(first, 1)).toBe(0);
    await Promise.all(tabs.map((tab) => tab.reload()));

    expect(await Promise.all(tabs.map((tab) => callInParallel(tab)))).toEqual([
      callsPerTab,
      callsPerTab,
      callsPerTab,
    ]);
    const keys = service.requests
      .slice(before)
      .filter(({ path }) => path.endsWith('refresh-token'))
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(Array(5).fill('k'.repeat(32)));
    await context.close();
  });

  test('a logout in one tab ends the session in all', async () => {
    const origin = service.url.replace('127.0.0.1', host);
    const context = await browser.newContext();
    const [first, second] = await openTabs(context, origin, 2);
    if (!first || !second) throw new Error('unreachable: there are two tabs');
    const cleared = second.evaluate(async () => {
      const { api } = globalThis as unknown as { api: Client };
      document.title = 'listening';
      return new Promise<boolean>((resolve) => {
        api.session.onChange(async () => (await api.session.get()) ?? resolve(true));
      });
    });
    await second.waitForFunction(() => document.title === 'listening');
    await first.evaluate(async () => {
      const { api } = globalThis as unknown as { api: Client };
      await api.auth.login({ body: { email: 'ada@example.com', password: 'difference engine' } });
      await api.auth.logout();
    });
    expect(await cleared).toBe(true);
    // Removals by another tab arrive with a delay.
    await expect.poll(() => second.evaluate(() => localStorage.length)).toBe(0);
    await context.close();
  });
});
