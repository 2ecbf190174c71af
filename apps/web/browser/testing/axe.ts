import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface AxeResult {
  readonly violations: readonly { id: string; help: string; nodes: readonly { html: string }[] }[];
  readonly passes: readonly unknown[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const options = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/** Expects that axe finds nothing on the page as it is now, by WCAG 2.2 AA and its good practices. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(untilStill);
  // A menu floats at the end of the page, outside of its landmarks.
  const isMenuOpen = (await page.locator('[data-radix-popper-content-wrapper]').count()) > 0;
  const rules = { region: { enabled: !isMenuOpen } };
  const result = await page.evaluate<AxeResult>(
    `${axe}; axe.run(${JSON.stringify({ ...options, rules })})`,
  );
  const found = result.violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    at: nodes.slice(0, 3).map(({ html }) => html.slice(0, 300)),
  }));
  expect(found, `findings of axe at ${page.url()}`).toEqual([]);
  expect(result.passes.length).toBeGreaterThan(5);
}

/** What is half faded in has the contrast of neither state. */
const untilStill = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
)`;

/** In the light scheme and in the dark one. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
}
