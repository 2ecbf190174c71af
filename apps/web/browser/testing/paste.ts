import type { Page } from 'playwright-core';

/** Pastes a file into a page of the app, once it accepts files: the role has to be known. */
export async function paste(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Switch organization/ }).waitFor({ state: 'attached' });
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['pasted'], 'pasted.txt', { type: 'text/plain' }));
    dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
  });
}
