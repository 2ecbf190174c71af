import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { demoAccount, type Account } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { shown } from './testing/journey.ts';
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
    '%s: has a title and a heading, fits, axe finds nothing',
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
      for (const { name, path, complaint } of pages.filter((one) => isPublic === !!one.isPublic)) {
        if (complaint) visitor.expectComplaint(complaint);
        await visitor.goto(path);
        await shown(page);
        const title = await page.title();
        expect(title, name).toMatch(/^.+ · Atelier$/);
        titles.set(name, title);
        expect(await page.locator('h1').count(), `headings of ${name}`).toBe(1);
        expect(
          await page.evaluate('document.documentElement.scrollWidth'),
          `width of ${name}`,
        ).toBeLessThanOrEqual(width);
        await expectAccessible(page);
      }
      expect(titles.size).toBeGreaterThan(5);
    },
  );
});
