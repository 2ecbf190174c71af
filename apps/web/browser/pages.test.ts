// @module-tag slow

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { demoAccount, type Account } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { waitForPage } from './testing/wait-for-page.ts';
import { pageMap, type MappedPage } from './testing/page-map.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
let browser: Browser;
let demo: Account;
let pages: readonly MappedPage[];
let organizationId: string | undefined;
beforeAll(async () => {
  browser = await launchChromium();
  demo = await demoAccount(stack);
  const { items } = await demo.api.organizations.list({});
  organizationId = items.find(({ type }) => type === 'TEAM')?.id;
  pages = await pageMap(demo, organizationId ?? null);
});
afterAll(() => browser?.close());

describe.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
] as const)('every page, $colorScheme, $width pixels wide', ({ colorScheme, width }) => {
  test.each(['public', 'inside'])(
    '%s: have a title and one heading, fit the window and pass axe',
    async (area) => {
      const isPublic = area === 'public';
      const titles = new Map<string, string>();
      await using visitor = await visit(
        { browser, stack },
        {
          as: isPublic ? undefined : demo,
          organizationId,
          colorScheme,
          viewport: { width, height: 800 },
        },
      );
      const { page } = visitor;
      for (const { name, path, expectedError } of pages.filter(
        (one) => isPublic === !!one.isPublic,
      )) {
        if (expectedError) visitor.allowError(expectedError);
        await visitor.goto(path);
        await waitForPage(page);
        const title = await page.title();
        expect(title, name).toMatch(/^.+ · Atelier$/);
        titles.set(name, title);
        expect(await page.locator('h1').count(), `headings of ${name}`).toBe(1);
        expect(
          await page.evaluate('document.documentElement.scrollWidth'),
          `width of ${name}`,
        ).toBeLessThanOrEqual(width);
        expect(await page.evaluate(cutOff), `content beyond the edge of ${name}`).toEqual([]);
        await expectAccessible(page);
      }
      expect(titles.size).toBeGreaterThan(5);
    },
  );
});

/** Finds texts and controls beyond the edge of the window that can't be scrolled to. */
const cutOff = `[...document.querySelectorAll('main :is(a, button, input, select, p, h1, h2, h3, td, th, dd, time)')]
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    if (width === 0 || getComputedStyle(element).visibility === 'hidden') return false;
    if (left >= -1 && right <= innerWidth + 1) return false;
    for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(ancestor);
      if (overflowX === 'auto' || overflowX === 'scroll' || clipPath !== 'none') return false;
    }
    return getComputedStyle(element).clipPath === 'none';
  })
  .map((element) => element.outerHTML.slice(0, 200))`;

describe.each([
  { state: 'forbidden', status: 403, colorScheme: 'light', code: 'permission_denied' },
  { state: 'not found', status: 404, colorScheme: 'dark', code: 'not_found' },
  { state: 'failing', status: 500, colorScheme: 'light', code: 'internal_error' },
] as const)('every page when its requests are $state', (failing) => {
  test('has a title and one heading, and passes axe', async () => {
    const { status, code, colorScheme } = failing;
    await using visitor = await visit(
      { browser, stack },
      { as: demo, organizationId, colorScheme, viewport: { width: 360, height: 800 } },
    );
    visitor.allowError(new RegExp(`status of ${status}`));
    const { page } = visitor;
    // The user and the organizations still load.
    await page.route(/\/api\/(?!auth|organizations(\?|$)|events)/, (route) =>
      route.fulfill({
        status,
        json: { success: false, code, message: 'No', requestId: 'req-1', errors: [] },
      }),
    );
    const inside = pages.filter(({ isPublic }) => !isPublic);
    for (const { name, path } of inside) {
      await visitor.goto(path);
      await page.locator('h1').first().waitFor();
      await page.locator('main .animate-pulse').first().waitFor({ state: 'detached' });
      expect(await page.title(), name).toMatch(/^.+ · Atelier$/);
      expect(await page.locator('h1').count(), `headings of ${name}`).toBe(1);
      expect(
        await page.evaluate('document.documentElement.scrollWidth'),
        `width of ${name}`,
      ).toBeLessThanOrEqual(360);
      await expectAccessible(page);
    }
    expect(inside.length).toBeGreaterThan(15);
  });
});
