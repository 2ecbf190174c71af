// @module-tag slow

import { openAsBlob } from 'node:fs';
import type { Asset } from '@atelier/client';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, type Account } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectEventually, newCollection, picture, uploadFile } from './testing/library.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

async function withPicture(): Promise<{ account: Account; asset: Asset; collectionId: string }> {
  const account = await newAccount(stack, 'Ada');
  const { id: collectionId } = await newCollection(account.api, 'Desk', []);
  const content = await openAsBlob(picture);
  const file = { name: 'sky.jpg', type: 'image/jpeg', content };
  return { account, collectionId, asset: await uploadFile(account.api, { ...file, collectionId }) };
}

/** Holds the comments that are posted until each is released. */
async function heldPosts(context: BrowserContext) {
  const held: Route[] = [];
  await context.route(/\/comments$/, async (route) => {
    if (route.request().method() === 'POST') held.push(route);
    else await route.continue();
  });
  return {
    async release() {
      await expect.poll(() => held.length).toBe(1);
      await held.pop()?.continue();
    },
  };
}

/** Chooses a tool, and uses it by keyboard. */
async function placeInMiddle(page: Page, tool: 'Mark a point' | 'Mark an area'): Promise<void> {
  await page.getByRole('button', { name: tool }).click();
  await page.getByRole('button', { name: / in the picture\.$/ }).press('Enter');
}

describe('the review of a picture', () => {
  test('posts a comment whose response got lost once, and the same text again as another one', async () => {
    const { account, asset } = await withPicture();
    await using visitor = await visit({ browser, stack }, { as: account });
    visitor.allowError(/ERR_FAILED/);
    const { page, context } = visitor;
    await visitor.goto(`/assets/${asset.id}?tab=comments`);
    const text = page.getByRole('textbox', { name: 'Comment' });
    const post = page.getByRole('button', { name: 'Post' });
    await text.fill('Too dark');
    const comments = /\/comments$/;
    await context.route(comments, async (route) => {
      if (route.request().method() === 'POST') {
        await route.fetch();
        await route.abort();
      } else {
        await route.continue();
      }
    });
    await post.click();
    await page.getByText('Can’t reach the server').first().waitFor({ timeout: 40_000 });
    expect(await text.inputValue()).toBe('Too dark');
    await context.unroute(comments);
    const posted = async () =>
      (await account.api.assetComments.list({ params: { id: asset.id } })).items.length;
    for (const count of [1, 2]) {
      await text.fill('Too dark');
      await Promise.all([
        page.waitForResponse(
          (response) => response.request().method() === 'POST' && comments.test(response.url()),
        ),
        post.click(),
      ]);
      expect(await text.inputValue()).toBe('');
      expect(await posted()).toBe(count);
    }
  });

  test('keeps what is typed and drawn while another comment is sent, also about another picture', async () => {
    const { account, asset, collectionId } = await withPicture();
    const content = await openAsBlob(picture);
    const file = { name: 'lake.jpg', type: 'image/jpeg', content, collectionId };
    const other = await uploadFile(account.api, file);
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page, context } = visitor;
    const posts = await heldPosts(context);
    const text = page.getByRole('textbox', { name: 'Comment' });
    const place = (name: 'Mark a point' | 'Mark an area') => placeInMiddle(page, name);
    await visitor.goto(`/assets/${asset.id}?tab=comments`);
    await place('Mark an area');
    await text.fill('Too dark');
    await text.press('Control+Enter');
    await text.fill('Too blue');
    await place('Mark a point');
    await posts.release();
    await page.getByRole('button', { name: 'Comment 1: Too dark' }).waitFor();
    expect(await text.inputValue()).toBe('Too blue');
    await page.getByText('A point', { exact: true }).waitFor();
    await text.press('Control+Enter');
    await page.getByRole('link', { name: /lake\.jpg/ }).click();
    await page.getByRole('heading', { level: 1, name: 'lake.jpg' }).waitFor();
    await page.getByRole('tab', { name: 'Comments' }).click();
    await place('Mark an area');
    await posts.release();
    const commentsOn = async ({ id }: Asset) =>
      (await account.api.assetComments.list({ params: { id } })).items.map(({ body, anchor }) => [
        body,
        anchor?.kind,
      ]);
    await expectEventually(() => commentsOn(asset)).toEqual([
      ['Too dark', 'area'],
      ['Too blue', 'point'],
    ]);
    await text.fill('Too green');
    await text.press('Control+Enter');
    await posts.release();
    await expectEventually(() => commentsOn(other)).toEqual([['Too green', 'area']]);
  });

  test('keeps what a comment is being changed to, while it is sent and when others resolve it', async () => {
    const { account, asset } = await withPicture();
    const params = { id: asset.id };
    const { id } = await account.api.assetComments.create({ params, body: { body: 'Too dark' } });
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    const sent = Promise.withResolvers<void>();
    await page.route(/\/comments\/[^/]+$/, async (route) => {
      await sent.promise;
      await route.continue();
    });
    await visitor.goto(`/assets/${asset.id}?tab=comments`);
    await page.getByRole('button', { name: /^Actions for the comment by Ada/ }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const field = page.getByRole('textbox', { name: 'Edit the comment' });
    await field.fill('Too bright');
    await field.press('Control+Enter');
    await field.fill('Too bright and blue');
    sent.resolve();
    await page.getByText('edited').waitFor();
    expect(await field.inputValue()).toBe('Too bright and blue');
    await field.press('Escape');
    expect(await field.inputValue()).toBe('Too bright and blue');

    const resolution = { params: { ...params, commentId: id }, body: { isResolved: true } };
    await account.api.assetComments.resolve(resolution);
    await field.waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: 'Resolved' }).check();
    expect(await field.inputValue()).toBe('Too bright and blue');
    await page.getByRole('button', { name: 'Save' }).click();
    await field.waitFor({ state: 'detached' });
    await page.getByText('Too bright and blue').waitFor();
  });

  test('posts a comment on the version in which its place was drawn', async () => {
    const { account, asset, collectionId } = await withPicture();
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}?tab=comments`);
    await placeInMiddle(page, 'Mark a point');
    await page.getByText('A point', { exact: true }).waitFor();
    const text = page.getByRole('textbox', { name: 'Comment' });
    await text.fill('Too dark');
    const content = await openAsBlob(picture);
    const file = { name: 'sky.jpg', type: 'image/jpeg', content, collectionId, assetId: asset.id };
    await uploadFile(account.api, file);
    await page.getByText('A point on version 1').waitFor();
    await text.press('Control+Enter');
    await page.getByText('on version 1').waitFor();
    await text.fill('Brighter');
    await text.press('Control+Enter');
    await expectEventually(async () => {
      const { items } = await account.api.assetComments.list({ params: { id: asset.id } });
      return items.map(({ body, versionNumber, anchor }) => [body, versionNumber, anchor?.kind]);
    }).toEqual([
      ['Too dark', 1, 'point'],
      ['Brighter', 2, undefined],
    ]);
  });

  test('shows what is posted, also after more comments than a page has, and with the resolved ones', async () => {
    const { account, asset } = await withPicture();
    const { api } = account;
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        api.assetComments.create({ params: { id: asset.id }, body: { body: `Comment ${index}` } }),
      ),
    );
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}?tab=comments`);
    await page.getByText('Comment 99', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Resolved' }).check();
    await page.getByText('No comments here. Write the first one below.').waitFor();
    const text = page.getByRole('textbox', { name: 'Comment' });
    await text.fill('The last one');
    await text.press('Control+Enter');
    await page.getByRole('listitem').getByText('The last one').waitFor();
    expect(await page.getByRole('radio', { name: 'Open' }).isChecked()).toBe(true);
  });

  test('takes comments at places in it, replies, and resolves them', async () => {
    const { account, asset } = await withPicture();
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}?tab=comments`);
    const image = page.getByRole('img', { name: 'Preview of sky.jpg' });
    await image.waitFor();
    await page.getByText('No comments here. Write the first one below.').waitFor();

    await page.getByRole('button', { name: 'Mark an area' }).click();
    const box = await image.boundingBox();
    if (!box) throw new Error('the picture has no place');
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
    await page.mouse.move(...at(0.25, 0.25));
    await page.mouse.down();
    await page.mouse.move(...at(0.5, 0.4));
    await page.mouse.move(...at(0.75, 0.5));
    await page.mouse.up();
    await page.getByText('An area', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Too **bright** here');
    await page.getByRole('button', { name: 'Post' }).click();
    const mark = page.getByRole('button', { name: 'Comment 1: Too **bright** here' });
    await mark.waitFor();
    const { items } = await account.api.assetComments.list({ params: { id: asset.id } });
    expect(items[0]?.anchor).toMatchObject({ kind: 'area' });
    const anchor = items[0]?.anchor;
    if (anchor?.kind !== 'area') throw new Error('no area');
    for (const [actual, expected] of [
      [anchor.x, 0.25],
      [anchor.y, 0.25],
      [anchor.width, 0.5],
      [anchor.height, 0.25],
    ] as const) {
      expect(Math.abs(actual - expected)).toBeLessThan(0.01);
    }

    await page.getByRole('button', { name: 'Reply' }).click();
    await page.getByRole('textbox', { name: /^Reply to Ada/ }).fill('Darker in the next version');
    await page.getByRole('button', { name: 'Reply' }).click();
    await page.getByText('Darker in the next version').waitFor();
    await mark.click();
    await expectEventually(() => mark.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('tab', { name: 'Comments (1)' }).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('No comments here. Write the first one below.').waitFor();
    await page.getByRole('tab', { name: 'Comments', exact: true }).waitFor();
    await expectEventually(() => mark.count()).toBe(0);
    await page.getByRole('radio', { name: 'Resolved' }).check();
    await page.getByText('Darker in the next version').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await expectEventually(async () => {
      const { openCommentCount } = await account.api.assets.get({ params: { id: asset.id } });
      return openCommentCount;
    }).toBe(1);
  });

  test('has a status, which cards show and the list filters by, and which a new version starts anew', async () => {
    const { account, asset, collectionId } = await withPicture();
    await using visitor = await visit({ browser, stack }, { as: account, colorScheme: 'dark' });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}?tab=comments`);
    await page.getByRole('combobox', { name: 'Review status' }).selectOption('Approved');
    await page.getByText('Changed').waitFor();
    await visitor.goto(`/collections/${collectionId}`);
    const tile = page.getByRole('listitem').filter({ hasText: 'sky.jpg' });
    await tile.getByText('Approved').waitFor();
    const filter = page.getByRole('combobox', { name: 'Review status' });
    await filter.selectOption('Changes requested');
    await expectEventually(() => tile.count()).toBe(0);
    await filter.selectOption('Approved');
    await tile.waitFor();
    const content = await openAsBlob(picture);
    const file = { name: 'sky.jpg', type: 'image/jpeg', content, collectionId, assetId: asset.id };
    await uploadFile(account.api, file);
    await expectEventually(() => tile.count()).toBe(0);
    await visitor.goto(`/assets/${asset.id}?tab=versions`);
    await page.getByText('Approved').waitFor();
    visitor.allowError(/status of 500/);
    const download = /\/download\?version=1$/;
    const json = { message: 'No', code: 'internal_error', requestId: 'test' };
    await page.route(download, (route) => route.fulfill({ status: 500, json }));
    await page.getByRole('button', { name: 'Compare version 1 with the current one' }).click();
    await page.getByText('This couldn’t be loaded').waitFor();
    await page.unroute(download);
    await page.getByRole('button', { name: 'Try again' }).click();
    const slider = page.getByRole('slider');
    await slider.fill('20');
    const earlier = page.getByRole('img', { name: 'Version 1' });
    await expectEventually(() =>
      earlier.evaluate((element: HTMLImageElement) => [
        element.naturalWidth,
        element.style.clipPath,
      ]),
    ).toEqual([1280, 'inset(0px 80% 0px 0px)']);
    await expectAccessible(page);
  });

  test('fits a phone', async () => {
    const { account, asset } = await withPicture();
    await account.api.assetComments.create({
      params: { id: asset.id },
      body: { body: 'Here', anchor: { kind: 'point', x: 0.5, y: 0.5 } },
    });
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    await visitor.goto(`/assets/${asset.id}?tab=comments`);
    await page.getByRole('button', { name: 'Comment 1: Here' }).waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
});
