import type { Page } from 'playwright-core';

/** Pastes a file into a page of the app, once the role of the user is known. */
export async function paste(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Switch organization/ }).waitFor({ state: 'attached' });
  await pasteAtOnce(page);
}

/** Pastes a file into a page of the app, which may not know the role of the user yet. */
export async function pasteAtOnce(page: Page): Promise<void> {
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['pasted'], 'pasted.txt', { type: 'text/plain' }));
    dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
  });
}
