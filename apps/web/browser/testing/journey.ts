import type { Page } from 'playwright-core';

/** Waits until the page shows what it is about: no skeletons, no script on its way. */
export async function shown(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy="true"], .animate-pulse').first().waitFor({ state: 'detached' });
  // The drawer of a task comes after the board that it is over.
  if (new URL(page.url()).searchParams.has('task')) {
    await page.getByRole('dialog').getByRole('tab').first().waitFor();
  }
  await page.evaluate('document.fonts.ready');
}
