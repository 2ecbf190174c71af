import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const mostSteps = 150;

/**
 * Walks by the tab key until something has the focus. On the way everything that gets it has to be seen,
 * and to be seen as what has it.
 *
 * @throws Error when it can't be reached
 */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await target.waitFor();
  for (let step = 0; step < mostSteps; step += 1) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await page.evaluate(focusIsSeen), `focus on ${String(target)}`).toBe(true);
      return;
    }
  }
  throw new Error(`not reached by ${key}: ${String(target)}`);
}

/** Expects that the focus has not been lost: something in the window has it. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate<string>('document.activeElement?.tagName ?? "none"'))
    .not.toMatch(/^(BODY|HTML|none)$/);
}

/** The outline is its own, of its `::after`, or of a label around it. */
const focusIsSeen = `{
  const element = document.activeElement;
  const hasOutline = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  const around = element.closest('label');
  isInside && (
    hasOutline(getComputedStyle(element)) ||
    hasOutline(getComputedStyle(element, '::after')) ||
    (around !== null && hasOutline(getComputedStyle(around)))
  );
}`;
