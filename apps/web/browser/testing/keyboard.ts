import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const maxSteps = 150;

/**
 * Presses Tab until the target has the focus, and expects its focus to be visible.
 *
 * @throws Error if the target can't be reached
 */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await target.waitFor();
  for (let step = 0; step < maxSteps; step += 1) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await page.evaluate(isFocusVisible), `focus on ${String(target)}`).toBe(true);
      return;
    }
  }
  throw new Error(`not reached by ${key}: ${String(target)}`);
}

/**
 * Expects that the focus is on an element, or in it. The element has to be named: the app moves a focus that
 * was lost to what remains around it, so it is never on the body.
 */
export async function expectFocusIn(target: Locator): Promise<void> {
  await expect
    .poll(() => target.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
}

/** Expects that a dialog isn't closed by Escape, a press beside it, or a close button. */
export async function expectKept(page: Page, dialog: Locator): Promise<void> {
  // Browsers treat the second press in a row differently.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(2, 2);
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
  expect(await dialog.isVisible()).toBe(true);
}

/** The outline may be on the element, its `::after` or its label. */
const isFocusVisible = `{
  const element = document.activeElement;
  const hasOutline = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  const label = element.closest('label');
  isInside && (
    hasOutline(getComputedStyle(element)) ||
    hasOutline(getComputedStyle(element, '::after')) ||
    (label !== null && hasOutline(getComputedStyle(label)))
  );
}`;
