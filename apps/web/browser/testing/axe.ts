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

/** Expects no axe violations on the current page, by WCAG 2.2 AA and axe's best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  // Menus are rendered at the end of the page, outside its landmarks.
  const isMenuOpen = (await page.locator('[data-radix-popper-content-wrapper]').count()) > 0;
  const rules = { region: { enabled: !isMenuOpen } };
  expect(await passedRules(page, { ...options, rules })).toBeGreaterThan(5);
}

/** @returns how many rules passed */
async function passedRules(page: Page, settings: object): Promise<number> {
  const { violations, passes } = await page.evaluate<AxeResult>(`(async () => {
    ${axe};
    await ${animationsFinished};
    return axe.run(${JSON.stringify(settings)});
  })()`);
  const found = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    at: nodes.slice(0, 3).map(({ html }) => html.slice(0, 300)),
  }));
  expect(found, `axe violations at ${page.url()}`).toEqual([]);
  return passes.length;
}

/**
 * Elements that are still fading in would fail the contrast check. Waited for right before it: a notification or a tooltip may
 * begin while axe is sent to the page.
 */
const animationsFinished = `(async () => {
  const running = () => document.getAnimations().filter(
    ({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
  );
  for (let some = running(); some.length > 0; some = running()) {
    await Promise.allSettled(some.map(({ finished }) => finished));
  }
})()`;

/** The rules that depend on colours. The theme changes nothing else. */
const ofColors = { ...options, runOnly: ['color-contrast', 'link-in-text-block'] };

/** Expects no axe violations in the light and the dark theme. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await passedRules(page, ofColors);
  await page.emulateMedia({ colorScheme: 'light' });
}
