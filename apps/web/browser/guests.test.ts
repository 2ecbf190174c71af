// @module-tag slow

import { openAsBlob } from 'node:fs';
import { createClient, memoryTokens } from '@atelier/client';
import { openShare, shareTokenOf } from '@atelier/client/shares';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectEventually, newCollection, picture, uploadFile } from './testing/library.ts';
import { visit } from './testing/visitor.ts';

/** A reviewer with a link and the owner in the app, at the same time. The visitor fails on requests to other hosts. */
const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const password = 'a password for reviewers';
const label = '<img src=x onerror="document.title=1"> & <b>bold</b>';

async function sharedPicture(conditions: object = {}) {
  const account = await newAccount(stack, 'Ada');
  const { api } = account;
  const { id: collectionId } = await newCollection(api, 'Campaign', []);
  const content = await openAsBlob(picture);
  const file = { name: 'ridge.jpg', type: 'image/jpeg', content, collectionId };
  const asset = await uploadFile(api, file);
  const body = { targetType: 'ASSET' as const, targetId: asset.id, label, allowComments: true };
  const share = await api.shares.create({ body: { ...body, ...conditions } });
  const { pathname, hash } = new URL(share.url ?? '');
  return { account, api, asset, share, path: pathname + hash };
}

/** Makes the page look for what is new, as it does when its tab is shown again. */
const comeBack = (page: Page) =>
  page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

const viewerOf = (page: Page) => page.getByRole('dialog');

async function openPicture(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open ridge.jpg' }).click();
  await viewerOf(page).getByRole('img', { name: 'ridge.jpg' }).waitFor();
}

test('a reviewer comments at a point; the owner sees it live, replies, resolves, and ends the link', async () => {
  const { account, api, asset, share, path } = await sharedPicture({ password });
  await using guest = await visit({ browser, stack });
  await using owner = await visit({ browser, stack }, { as: account });
  guest.allowError(/status of 40[14]/);
  const { page } = guest;
  await owner.goto(`/assets/${asset.id}?tab=comments`);
  await owner.page.getByText('No comments here. Write the first one below.').waitFor();

  await guest.goto(path);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: label }).waitFor();
  expect(await page.title()).toBe('Shared files · Atelier');
  await openPicture(page);
  const viewer = viewerOf(page);
  await viewer.getByText('No comments yet.').waitFor();
  await expectAccessibleInBoth(page);

  await viewer.getByRole('button', { name: 'Mark an area' }).click();
  const area = viewer.getByRole('button', { name: 'Drag over the area' });
  await area.focus();
  await page.keyboard.press('Escape');
  await area.waitFor({ state: 'detached' });
  await viewer.getByRole('button', { name: 'Mark a point' }).click();
  const layer = await viewer.getByRole('button', { name: 'Click the place' }).boundingBox();
  if (!layer) throw new Error('the picture has no place');
  expect(layer.width / layer.height).toBeCloseTo(1280 / 853, 1);
  await page.mouse.click(layer.x + layer.width / 4, layer.y + layer.height / 2);
  const text = viewer.getByRole('textbox', { name: 'Comment' });
  await text.fill('Too **bright** <i>here</i>');
  await viewer.getByRole('button', { name: 'Post' }).click();
  await viewer.getByRole('alert').getByText('Enter your name.').waitFor();
  await expectAccessible(page);
  await viewer.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await viewer.getByRole('button', { name: 'Post' }).click();
  await viewer.getByText('You comment as Grace.').waitFor();
  const mark = { name: /^Comment 1: Too/ };
  await viewer.getByRole('button', mark).waitFor();
  await viewer.getByText('<i>here</i>').waitFor();

  await owner.page.getByText('<i>here</i>').waitFor();
  await owner.page.getByText('Grace', { exact: true }).waitFor();
  await owner.page.getByText('Guest', { exact: true }).waitFor();
  await owner.page.getByRole('button', mark).waitFor();
  const { items } = await api.assetComments.list({ params: { id: asset.id } });
  expect(items[0]).toMatchObject({ guestName: 'Grace', author: null, anchor: { kind: 'point' } });
  const anchor = items[0]?.anchor;
  if (anchor?.kind !== 'point') throw new Error('no point');
  expect([anchor.x, anchor.y].map((part) => Math.round(part * 100))).toEqual([25, 50]);
  await expectAccessible(owner.page);

  await owner.page.getByRole('button', { name: 'Reply' }).click();
  await owner.page.getByRole('textbox', { name: 'Reply to Grace' }).fill('Darker in the next one');
  await owner.page.keyboard.press('Control+Enter');
  await owner.page.getByText('Darker in the next one').waitFor();
  await comeBack(page);
  await viewer.getByText('Darker in the next one').waitFor();
  await viewer.getByText('Ada Tester').waitFor();
  await viewer.getByRole('button', { name: 'Reply' }).click();
  await viewer.getByRole('textbox', { name: 'Reply to Grace' }).fill('Thank you');
  await page.keyboard.press('Control+Enter');
  await owner.page.getByText('Thank you').waitFor();

  await owner.page.getByRole('button', { name: 'Resolve' }).click();
  await comeBack(page);
  await viewer.getByText('· resolved').waitFor();
  await expectEventually(() => viewer.getByRole('button', mark).count()).toBe(0);

  await api.shares.remove({ params: { id: share.id } });
  await text.fill('One more thing');
  await viewer.getByRole('button', { name: 'Post' }).click();
  await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  const ended = await page.getByRole('main').innerText();
  await guest.goto(`/share#atls_${'x'.repeat(43)}`);
  await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
  expect(await page.getByRole('main').innerText()).toBe(ended);
});

test('comments fit a phone, and the name and what was typed stay in the tab', async () => {
  const { path } = await sharedPicture();
  await using guest = await visit(
    { browser, stack },
    { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  );
  const { page } = guest;
  await guest.goto(path);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await openPicture(page);
  const viewer = viewerOf(page);
  expect(await viewer.getByRole('complementary', { name: 'Comments' }).count()).toBe(0);
  await viewer.getByRole('button', { name: 'Comments' }).click();
  await viewer.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await viewer.getByRole('textbox', { name: 'Comment' }).fill('First');
  await viewer.getByRole('button', { name: 'Post' }).click();
  await viewer.getByText('You comment as Grace.').waitFor();
  await viewer.getByText('First').waitFor();
  expect(await viewer.evaluate((element) => element.scrollWidth)).toBe(360);
  await expectAccessibleInBoth(page);

  await viewer.getByRole('textbox', { name: 'Comment' }).fill('Not yet posted');
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await openPicture(page);
  await viewer.getByRole('button', { name: 'Comments' }).click();
  expect(await viewer.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe(
    'Not yet posted',
  );
  await page.reload();
  await openPicture(page);
  await viewer.getByRole('button', { name: 'Comments' }).click();
  await viewer.getByText('You comment as Grace.').waitFor();
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Grace');
});

test('without comments there is no place for them', async () => {
  const { path } = await sharedPicture({ allowComments: false });
  await using guest = await visit({ browser, stack });
  const { page } = guest;
  await guest.goto(path);
  await openPicture(page);
  expect(await viewerOf(page).getByRole('button', { name: 'Comments' }).count()).toBe(0);
});

test('a comment whose response got lost is posted once, and the same text again is another one', async () => {
  const { api, asset, path } = await sharedPicture();
  await using guest = await visit({ browser, stack });
  guest.allowError(/ERR_FAILED/);
  const { page, context } = guest;
  await guest.goto(path);
  await openPicture(page);
  const viewer = viewerOf(page);
  const text = viewer.getByRole('textbox', { name: 'Comment' });
  const post = viewer.getByRole('button', { name: 'Post' });
  await viewer.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await text.fill('Too dark');
  const comments = /\/comments$/;
  await context.route(comments, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await post.click();
  await viewer.getByText('Can’t reach the server').first().waitFor({ timeout: 40_000 });
  await context.unroute(comments);
  // What was typed outlives the form, and its key with it.
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await openPicture(page);
  await viewer.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await post.click();
  await viewer.getByText('You comment as Grace.').waitFor();
  const posted = async () => (await api.assetComments.list({ params: { id: asset.id } })).items;
  expect(await posted()).toMatchObject([{ body: 'Too dark' }]);

  await text.fill('Too dark');
  await post.click();
  await expectEventually(async () => (await posted()).length).toBe(2);
});

test('a comment that links to the app opens it in a new tab, and the page stays', async () => {
  const { asset, share, path } = await sharedPicture();
  const client = createClient({ baseUrl: stack.api, tokens: memoryTokens() });
  const opened = await openShare(client, { token: shareTokenOf(share.url ?? '') ?? '' });
  const body = `See [the start](/) and [the projects](${stack.app}/projects)`;
  await opened.comment(asset.id, { body, visitorName: 'Grace' });
  await using guest = await visit({ browser, stack });
  await guest.goto(path);
  await openPicture(guest.page);
  for (const [name, href] of [
    ['the start', '/'],
    ['the projects', '/projects'],
  ] as const) {
    const link = viewerOf(guest.page).getByRole('link', { name });
    expect(await link.getAttribute('href')).toBe(`${stack.app}${href}`);
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  }
  await viewerOf(guest.page).getByRole('img', { name: 'ridge.jpg' }).waitFor();
});

test('a picture that never works is asked for once more, and too many requests end nothing', async () => {
  const { asset, path } = await sharedPicture();
  await using guest = await visit({ browser, stack });
  guest.allowError(/status of 4(04|29)/);
  const { page } = guest;
  let asked = 0;
  await page.route(new RegExp(`/assets/${asset.id}$`), async (route) => {
    asked += 1;
    // Addresses of another second are other ones.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1100))');
    await route.continue();
  });
  await page.route(/X-Amz-Signature/, (route) => route.fulfill({ status: 404 }));
  await guest.goto(path);
  const open = page.getByRole('button', { name: 'Open ridge.jpg' });
  await open.click();
  await expect.poll(() => asked).toBe(2);
  await viewerOf(page).getByRole('status').getByText('image/jpeg').waitFor();
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 3000))');
  expect(asked).toBe(2);

  await page.reload();
  const body = { success: false, code: 'rate_limited', message: 'Too many', errors: [] };
  await page.route(new RegExp(`/assets/${asset.id}$`), (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: body }),
  );
  await open.click();
  await viewerOf(page)
    .getByRole('alert')
    .getByText(/^Too many/)
    .waitFor();
  await page.unrouteAll();
  await viewerOf(page).getByRole('button', { name: 'Try again' }).click();
  await viewerOf(page).getByRole('img', { name: 'ridge.jpg' }).waitFor();
  expect(await page.getByText('no longer shared').count()).toBe(0);
});
