// @module-tag slow

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { someFilm } from '../../api/src/testing/film.ts';
import { look } from '../../api/src/testing/pictures.ts';
import { newAccount, type Account } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
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

interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

async function withCollection() {
  const account = await newAccount(stack, 'Ada');
  const { id: collectionId } = await newCollection(account.api, 'Desk', []);
  return { account, collectionId };
}

/** Uploads files to the open collection. */
async function upload(page: Page, files: readonly ChosenFile[]): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Files…' }).click(),
  ]);
  await chooser.setFiles([...files]);
}

const pdf = (name: string): ChosenFile => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(pdfWith(['First page'])),
});
const film = async (name: string, seconds = 40): Promise<ChosenFile> => ({
  name,
  mimeType: 'video/webm',
  buffer: await someFilm({ seconds }),
});

const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const pictureOn = (page: Page, name: string) => card(page, name).locator('img');

async function coverOf({ api }: Account, collectionId: string, name: string) {
  const { items } = await api.assets.listInCollection({ params: { collectionId } });
  const url = items.find(({ assetName }) => assetName === name)?.thumbnailUrl;
  if (!url) throw new Error(`${name} has no cover`);
  const response = await fetch(url);
  return look(Buffer.from(await response.arrayBuffer()));
}

test('PDFs and videos get a cover from their uploader, on cards, in lists and as the poster', async () => {
  const { account, collectionId } = await withCollection();
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto(`/collections/${collectionId}`);
  await upload(page, [pdf('plan.pdf'), await film('film.webm')]);
  await pictureOn(page, 'plan.pdf').waitFor();
  await pictureOn(page, 'film.webm').waitFor();
  for (const name of ['plan.pdf', 'film.webm']) {
    const isShown = () =>
      pictureOn(page, name).evaluate((image: HTMLImageElement) => image.naturalWidth > 0);
    await expectEventually(isShown).toBe(true);
  }
  // A frame after the first second, and a page with its margins.
  expect(await coverOf(account, collectionId, 'film.webm')).toMatchObject({
    format: 'webp',
    width: 400,
    height: 200,
    left: 'blue',
    right: 'blue',
  });
  expect(await coverOf(account, collectionId, 'plan.pdf')).toMatchObject({
    format: 'webp',
    width: 362,
    height: 512,
    left: 'rgb(255,255,255)',
  });
  await expectAccessibleInBoth(page);

  await page.getByRole('link', { name: 'film.webm', exact: true }).click();
  const poster = () => page.locator('video').getAttribute('poster');
  await expectEventually(poster).toMatch(/^http.*thumbnail/);
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Full window (F)' }).click();
  await expectEventually(() => page.getByRole('dialog').locator('li img').count()).toBe(2);
});

test('what the browser can’t draw is uploaded without a cover, and without a word', async () => {
  const { account, collectionId } = await withCollection();
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/cover')) sent.push(request.url());
  });
  await visitor.goto(`/collections/${collectionId}`);
  await upload(page, [
    { ...pdf('broken.pdf'), buffer: Buffer.from('%PDF-1.7 and nothing else') },
    { ...(await film('broken.webm', 1)), buffer: Buffer.from('no film') },
    // The covers are made in this order.
    pdf('last.pdf'),
  ]);
  await pictureOn(page, 'last.pdf').waitFor();
  expect(sent).toHaveLength(1);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await pictureOn(page, 'broken.pdf').count()).toBe(0);
});

test('a new version of another type gets its own cover', async () => {
  const { account, collectionId } = await withCollection();
  await uploadFile(account.api, {
    name: 'cut.webm',
    type: 'text/plain',
    content: 'soon',
    collectionId,
  });
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto(`/collections/${collectionId}`);
  await card(page, 'cut.webm').waitFor();
  await upload(page, [await film('cut.webm')]);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await pictureOn(page, 'cut.webm').waitFor();
  expect(await coverOf(account, collectionId, 'cut.webm')).toMatchObject({ left: 'blue' });
});

test('a video is watched from its middle without what comes before', async () => {
  const { account, collectionId } = await withCollection();
  const content = new Blob([
    Uint8Array.from(await someFilm({ seconds: 60, paddingBytes: 1_000_000 })),
  ]);
  const asset = await uploadFile(account.api, {
    name: 'long.webm',
    type: 'video/webm',
    content,
    collectionId,
  });
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  const starts: number[] = [];
  page.on('request', (request) => {
    const range = /^bytes=(\d+)-/.exec(request.headers()['range'] ?? '');
    if (range) starts.push(Number(range[1]));
  });
  await visitor.goto(`/assets/${asset.id}`);
  const video = page.locator('video');
  const read = (property: 'duration' | 'readyState' | 'currentTime') =>
    video.evaluate((element: HTMLVideoElement, name) => element[name], property);
  await expectEventually(() => read('duration')).toBe(60);
  await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = 45;
  });
  await expectEventually(() => starts.some((start) => start > 40_000_000)).toBe(true);
  await expectEventually(async () => (await read('readyState')) >= 2).toBe(true);
  expect(await read('currentTime')).toBe(45);
});
