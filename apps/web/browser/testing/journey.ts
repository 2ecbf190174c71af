import type { Page } from 'playwright-core';

/** Waits until the page shows what it is about: no skeletons, no script on its way. */
export async function shown(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(`!document.querySelector('[aria-busy="true"], .animate-pulse')`);
  await page.evaluate('document.fonts.ready');
}
