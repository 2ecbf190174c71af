import type { Page } from 'playwright-core';

const mostMs = 30_000;
const pollMs = 50;

/** Waits until the page has loaded: no skeletons, no pending chunks. */
export async function waitForPage(page: Page): Promise<void> {
  await waitForResponses(page);
  // The drawer of a task loads after the board.
  if (new URL(page.url()).searchParams.has('task')) {
    await page.getByRole('dialog').getByRole('tab').first().waitFor();
  }
  await page.evaluate('document.fonts.ready');
}

/** Waits until the page waits for no response any more: what it shows may be failures. */
export async function waitForResponses(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy="true"], .animate-pulse').first().waitFor({ state: 'detached' });
}

/** Waits until the pictures in sight are there, or have failed. */
export async function waitForPictures(page: Page): Promise<void> {
  // As text, like below.
  const missing = () =>
    page.evaluate<number>(`Array.from(document.images).filter((image) => {
      const { top, bottom } = image.getBoundingClientRect();
      return !image.complete && bottom > 0 && top < innerHeight;
    }).length`);
  await until(async () => (await missing()) === 0, page, 'pictures in sight were not loaded');
}

/** Waits until the code of what the page may open has been loaded. */
export async function waitForScripts(page: Page): Promise<void> {
  // The page's policy forbids what `waitForFunction` does with a text.
  const marks = () =>
    page.evaluate<number>(`performance.getEntriesByName('atelier:loaded').length`);
  await until(async () => (await marks()) > 0, page, 'what the page may open was not loaded');
}

async function until(isSo: () => Promise<boolean>, page: Page, problem: string): Promise<void> {
  const endsAt = performance.now() + mostMs;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(problem);
    await page.waitForTimeout(pollMs);
  }
}
