import type { Page } from 'playwright-core';

/** Waits until the page has loaded: no skeletons, no pending chunks. */
export async function waitForPage(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy="true"], .animate-pulse').first().waitFor({ state: 'detached' });
  // The drawer of a task loads after the board.
  if (new URL(page.url()).searchParams.has('task')) {
    await page.getByRole('dialog').getByRole('tab').first().waitFor();
  }
  await page.evaluate('document.fonts.ready');
}

/** Waits until the code of what the page may open has been loaded. */
export async function waitForScripts(page: Page): Promise<void> {
  await page.waitForFunction(`performance.getEntriesByName('atelier:loaded').length > 0`);
}
