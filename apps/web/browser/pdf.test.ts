// @module-tag slow

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectEventually, newCollection, uploadFile } from './testing/library.ts';
import { pdfWith } from './testing/pdf.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const drawn = (page: Page) => page.locator('[data-picture] canvas');

async function withPdf(content: string) {
  const account = await newAccount(stack, 'Ada');
  const { id: collectionId } = await newCollection(account.api, 'Desk', []);
  const file = { name: 'plan.pdf', type: 'application/pdf', content, collectionId };
  return { account, asset: await uploadFile(account.api, file) };
}

test('a PDF is read page by page, by keyboard too, and comments keep their page', async () => {
  const { account, asset } = await withPdf(pdfWith(['First page', 'Second page', 'Third page']));
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto(`/assets/${asset.id}?tab=comments`);
  await page.getByText('First page').waitFor();
  await drawn(page).waitFor();
  const region = page.getByRole('region', { name: 'Preview of plan.pdf, Page 1 of 3' });
  await region.waitFor();
  await expectAccessibleInBoth(page);

  await page.getByRole('button', { name: 'Next page (Page Down)' }).click();
  await page.getByText('Second page').waitFor();
  await page.keyboard.press('PageDown');
  await page.getByText('Third page').waitFor();
  const number = page.getByRole('textbox', { name: 'Page' });
  await number.fill('2');
  await number.press('Enter');
  await page.getByText('Second page').waitFor();

  const width = () => drawn(page).evaluate((canvas) => canvas.clientWidth);
  const before = await width();
  await page.getByRole('button', { name: 'Zoom in (+)' }).click();
  await expectEventually(async () => (await width()) > before).toBe(true);
  await page.getByRole('button', { name: 'Fit width' }).click();
  await page.getByRole('button', { name: 'Whole page' }).click();
  await expectEventually(width).toBe(before);

  await page.getByRole('button', { name: 'Mark a point' }).click();
  const box = await drawn(page).boundingBox();
  if (!box) throw new Error('the page has no place');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 4);
  await page.getByRole('textbox', { name: 'Comment' }).fill('Larger');
  await page.getByRole('button', { name: 'Post' }).click();
  const mark = page.getByRole('button', { name: 'Comment 1: Larger' });
  await mark.waitFor();
  const { items } = await account.api.assetComments.list({ params: { id: asset.id } });
  expect(items[0]?.anchor).toMatchObject({ kind: 'point', page: 2 });
  await page.getByRole('button', { name: 'Previous page (Page Up)' }).click();
  await page.getByText('First page').waitFor();
  expect(await mark.count()).toBe(0);
  await page.getByRole('button', { name: 'Go to Page 2' }).click();
  await mark.waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Full window (F)' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Second page').waitFor();
  await page.keyboard.press('PageUp');
  await dialog.getByText('First page').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByText('First page').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await expectAccessible(page);
});

test('fonts and characters come from the app, and scripts in a PDF don’t run', async () => {
  const { account, asset } = await withPdf(pdfWith(['日本語'], 'japanese'));
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  const fetched: string[] = [];
  page.on('response', (response) => {
    if (response.ok()) fetched.push(new URL(response.url()).pathname);
  });
  page.on('dialog', () => expect.fail('a script ran'));
  await visitor.goto(`/assets/${asset.id}`);
  await page.getByText('日本語').waitFor();
  await drawn(page).waitFor();
  expect(fetched.some((path) => /^\/_app\/UniJIS-UCS2-H.*\.bcmap$/.test(path))).toBe(true);
});

test('a damaged PDF says so in its place, and one that doesn’t come can be asked for again', async () => {
  const damaged = await withPdf('%PDF-1.7\nnothing of a PDF');
  await using visitor = await visit({ browser, stack }, { as: damaged.account });
  const { page } = visitor;
  await visitor.goto(`/assets/${damaged.asset.id}`);
  await page.getByText('This PDF can’t be shown').waitFor();
  await page.getByRole('link', { name: 'Open the PDF in a new tab' }).waitFor();
  await expectAccessibleInBoth(page);

  const { account, asset } = await withPdf(pdfWith(['First page']));
  await using other = await visit({ browser, stack }, { as: account });
  other.allowError(/ERR_FAILED/);
  const isPdf = (url: URL) => url.origin === new URL(stack.storage).origin;
  await other.page.route(isPdf, (route) => route.abort());
  await other.goto(`/assets/${asset.id}`);
  await other.page.getByText('The PDF couldn’t be loaded').waitFor();
  await other.page.unroute(isPdf);
  await other.page.getByRole('button', { name: 'Try again' }).click();
  await other.page.getByText('First page').waitFor();
});

test('a page that doesn’t come can be asked for again, and the same page is shown', async () => {
  const content = pdfWith(['First page', 'Second page']);
  const { account, asset } = await withPdf(content);
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  const isPdf = (url: URL) => url.origin === new URL(stack.storage).origin;
  await page.route(isPdf, async (route) => {
    const body = content.replace('/Kids [6 0 R 8 0 R]', '/Kids [6 0 R 9 0 R]');
    await route.fulfill({ response: await route.fetch(), body });
  });
  await visitor.goto(`/assets/${asset.id}`);
  await page.getByText('First page').waitFor();
  await page.getByRole('button', { name: 'Next page (Page Down)' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('Page 2 can’t be shown.').waitFor();
  await expectAccessible(page);
  await page.unroute(isPdf);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Second page').waitFor();
  expect(await alert.count()).toBe(0);
});
