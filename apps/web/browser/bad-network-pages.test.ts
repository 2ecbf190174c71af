// @module-tag slow

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { demoAccount, type Account } from './testing/accounts.ts';
import { connectAssistant, linkTo, newTask } from './testing/assistant.ts';
import { startBadProxy, type BadProxy } from './testing/bad-proxy.ts';
import { launchChromium } from './testing/chromium.ts';
import { matchesPage } from './testing/journeys.ts';
import { pageMap, type MappedPage } from './testing/page-map.ts';
import { routerPages } from './testing/router-pages.ts';
import { visit, type Visitor } from './testing/visitor.ts';
import { waitForPage } from './testing/wait-for-page.ts';

const timeout = 60_000;
let browser: Browser;
let proxy: BadProxy;
let demo: Account;
let organizationId: string | null;
let pages: readonly MappedPage[];
beforeAll(async () => {
  const stack = inject('stack');
  browser = await launchChromium();
  proxy = await startBadProxy(stack.app);
  demo = await demoAccount(stack);
  const { items } = await demo.api.organizations.list({});
  organizationId = items.find(({ type }) => type === 'TEAM')?.id ?? null;
  pages = [...(await pageMap(demo, organizationId)), ...(await integrations())];
});
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await browser?.close();
});

/** The pages of one webhook, one service account and one approval, which the demo account has none of. */
async function integrations(): Promise<readonly MappedPage[]> {
  const params = { id: organizationId ?? '' };
  const options = { organizationId };
  const body = { url: 'https://example.com/hooks', events: ['task.create' as const] };
  const webhook = await demo.api.webhooks.create({ params, body }, options);
  const account = await demo.api.serviceAccounts.create(
    { params, body: { name: 'Build server', role: 'MEMBER' } },
    options,
  );
  const member = { account: demo, organizationId: organizationId ?? '' };
  const assistant = await connectAssistant(inject('stack'), member);
  const id = await newTask(member, 'Launch');
  const approval = await assistant.ask({ tool: 'tasks_remove', arguments: { id } });
  return [
    { name: 'approval', path: linkTo(approval) },
    { name: 'webhook', path: `/settings/webhooks/${webhook.id}` },
    { name: 'service-account', path: `/settings/service-accounts/${account.id}` },
  ];
}

/** Opens a browser that reaches everything through the proxy. */
async function visitPage(route: string): Promise<MappedPage & { visitor: Visitor }> {
  const mapped = pages.find(({ path }) => matchesPage(path.split('?')[0] ?? '', route));
  if (!mapped) throw new Error(`${route} is missing in the map of pages`);
  const visitor = await visit(
    { browser, stack: { ...inject('stack'), app: proxy.url } },
    { as: mapped.isPublic ? undefined : demo, organizationId },
  );
  visitor.allowError(/ERR_|Failed to fetch|dynamically imported module|status of (4\d\d|503)/);
  return { ...mapped, visitor };
}

const notLoaded = (page: Page) => page.getByText(/couldn’t be loaded|can’t be reached/);

async function waitForContent(page: Page): Promise<void> {
  await expect.poll(() => page.locator('h1').count(), { timeout }).toBe(1);
  await expect.poll(() => notLoaded(page).count(), { timeout }).toBe(0);
  await waitForPage(page);
}

test.each(routerPages)(
  '%s opens where responses take 400 ms and one in 20 is lost',
  async (route) => {
    Object.assign(proxy.badness, { delayMs: 400, lossRate: 0.05, isCut: false });
    const { visitor, path } = await visitPage(route);
    await using _ = visitor;
    await visitor.goto(path);
    await waitForContent(visitor.page);
    expect(await notLoaded(visitor.page).count()).toBe(0);
  },
);

test.each(routerPages)(
  '%s says so without the API, and is filled when it is back',
  async (route) => {
    Object.assign(proxy.badness, { delayMs: 0, lossRate: 0, isCut: true });
    const before = proxy.failures();
    const { visitor, path, isPublic } = await visitPage(route);
    await using _ = visitor;
    const { page } = visitor;
    await visitor.goto(path);
    await page.waitForLoadState('networkidle');
    // Without a session, pages show a form, which needs nothing.
    if (!isPublic) {
      expect(proxy.failures()).toBeGreaterThan(before);
      await notLoaded(page).first().waitFor({ timeout });
    }
    proxy.badness.isCut = false;
    await waitForContent(page);
  },
);
