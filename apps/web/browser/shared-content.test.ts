// @module-tag slow

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { choose, expectEventually, newCollection, uploadFile } from './testing/library.ts';
import { pdfWith } from './testing/pdf.ts';
import { waitForWorker } from './testing/offline.ts';
import { tone } from './testing/sound.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

async function shared(conditions: object) {
  const { api } = await newAccount(stack, 'Ada');
  const { id: collectionId } = await newCollection(api, 'Campaign', []);
  const files = [
    { name: 'plan.pdf', type: 'application/pdf', content: pdfWith(['First page', 'Second page']) },
    { name: 'tone.wav', type: 'audio/wav', content: tone() },
    { name: 'film.mp4', type: 'video/mp4', content: 'no film' },
    { name: 'code.ts', type: 'text/plain', content: 'const markup = "<b>bold</b>";' },
  ];
  for (const file of files) await uploadFile(api, { ...file, collectionId });
  const body = { targetType: 'COLLECTION' as const, targetId: collectionId, ...conditions };
  const { pathname, hash } = new URL((await api.shares.create({ body })).url ?? '');
  return pathname + hash;
}

const open = (page: Page, name: string) =>
  page.getByRole('button', { name: `Open ${name}`, exact: true }).click();

test('a visitor who may download reads a PDF and code, and hears a sound in the page', async () => {
  const path = await shared({ allowDownload: true });
  await using visitor = await visit({ browser, stack });
  const { page } = visitor;
  await visitor.goto(path);
  await open(page, 'plan.pdf');
  const viewer = page.getByRole('dialog');
  await viewer.getByText('First page').waitFor();
  await page.keyboard.press('PageDown');
  await viewer.getByText('Second page').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await viewer.getByText('Second page').waitFor();
  expect(await viewer.evaluate((element) => element.scrollWidth)).toBe(360);
  await expectAccessible(page);

  await page.keyboard.press('Escape');
  await open(page, 'tone.wav');
  const sound = viewer.locator('audio');
  await expectEventually(() => sound.evaluate(({ duration }: HTMLAudioElement) => duration)).toBe(
    1,
  );
  await expectAccessibleInBoth(page);
  await page.keyboard.press('Escape');
  await open(page, 'film.mp4');
  await viewer.getByText('There is no picture of this file. Download it').waitFor();
  expect(await viewer.locator('video').count()).toBe(0);
  await page.keyboard.press('Escape');
  await open(page, 'code.ts');
  const code = viewer.getByRole('region', { name: 'code.ts' });
  await code.locator('span', { hasText: 'const' }).first().waitFor();
  expect(await code.textContent()).toBe('const markup = "<b>bold</b>";');
  await expectAccessible(page);
});

test('a sound whose connection broke is played again where it stopped', async () => {
  const path = await shared({ allowDownload: true });
  await using visitor = await visit({ browser, stack });
  const { page } = visitor;
  await visitor.goto(path);
  await open(page, 'tone.wav');
  const viewer = page.getByRole('dialog');
  const sound = viewer.locator('audio');
  await expectEventually(() => sound.evaluate(({ duration }: HTMLAudioElement) => duration)).toBe(
    1,
  );
  await sound.evaluate((element: HTMLAudioElement) => {
    element.currentTime = 0.5;
    Object.defineProperty(element, 'error', { value: { code: MediaError.MEDIA_ERR_NETWORK } });
    element.dispatchEvent(new Event('error'));
  });
  await viewer.getByText('Can’t reach the server.').waitFor();
  await expectAccessible(page);
  await viewer.getByRole('button', { name: 'Try again' }).click();
  await expectEventually(() =>
    sound.evaluate(({ currentTime }: HTMLAudioElement) => currentTime),
  ).toBe(0.5);
});

test('a guest comments on a time of a sound and on a page of a PDF', async () => {
  const path = await shared({ allowDownload: true, allowComments: true });
  await using visitor = await visit({ browser, stack });
  const { page } = visitor;
  await visitor.goto(path);
  await open(page, 'tone.wav');
  const viewer = page.getByRole('dialog');
  await viewer.locator('audio').evaluate((sound: HTMLAudioElement) => {
    sound.currentTime = 0.5;
  });
  await viewer.getByRole('button', { name: 'At the current time' }).click();
  await viewer.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/comments', async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  const text = viewer.getByRole('textbox', { name: 'Comment' });
  await text.fill('Louder');
  await viewer.getByRole('button', { name: 'Post' }).click();
  await text.fill('And longer');
  release();
  await viewer.getByRole('button', { name: 'Go to 0:00' }).click();
  expect(await text.inputValue()).toBe('And longer');
  await page.keyboard.press('Escape');

  await open(page, 'plan.pdf');
  await viewer.getByRole('button', { name: 'Next page (Page Down)' }).click();
  await viewer.getByText('Second page').waitFor();
  await viewer.getByRole('button', { name: 'Mark an area' }).click();
  await viewer.getByRole('button', { name: 'Drag over the area' }).press('Enter');
  await viewer.getByRole('textbox', { name: 'Comment' }).fill('Greener');
  await viewer.getByRole('button', { name: 'Post' }).click();
  const mark = viewer.getByRole('button', { name: 'Comment 1: Greener' });
  await mark.waitFor();
  await viewer.getByRole('button', { name: 'Previous page (Page Up)' }).click();
  await viewer.getByText('First page').waitFor();
  expect(await mark.count()).toBe(0);
  await viewer.getByRole('button', { name: 'Go to Page 2' }).click();
  await mark.waitFor();
  await expectAccessible(page);
});

test('without downloads, only name, type and size are shown of what has no picture', async () => {
  const path = await shared({});
  await using visitor = await visit({ browser, stack });
  const { page } = visitor;
  const storage: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(stack.storage)) storage.push(request.url());
  });
  await visitor.goto(path);
  for (const [name, type] of [
    ['plan.pdf', 'application/pdf'],
    ['tone.wav', 'audio/wav'],
  ] as const) {
    await open(page, name);
    const viewer = page.getByRole('dialog');
    await viewer.getByText(`${type} · `).waitFor();
    await viewer.getByText('There is no picture of this file.', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  }
  expect(storage).toEqual([]);
});

test('the full window goes through all files, and says there when a download fails', async () => {
  const path = await shared({ allowDownload: true });
  await using visitor = await visit({ browser, stack });
  visitor.allowError(/status of 500/);
  const { page } = visitor;
  await page.route(/limit=48/, (route) =>
    route.continue({ url: route.request().url().replace('limit=48', 'limit=2') }),
  );
  await visitor.goto(path);
  const tiles = page.getByRole('list', { name: 'Shared files' }).getByRole('listitem');
  await tiles.first().waitFor();
  expect(await tiles.count()).toBe(2);
  await page.route(/cursor=/, (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByRole('alert').waitFor();
  await page.unroute(/cursor=/);
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await tiles.first().getByRole('button').first().click();
  const viewer = page.getByRole('dialog');
  const next = viewer.getByRole('button', { name: /^Next/ });
  for (let turns = 0; turns < 3; turns += 1) {
    const name = await viewer.getByRole('heading').textContent();
    await next.click();
    await expectEventually(() => viewer.getByRole('heading').textContent()).not.toBe(name);
  }
  await page.route(/\/download$/, (route) => route.fulfill({ status: 500, json: {} }));
  await viewer.getByRole('button', { name: 'Download' }).click();
  const notices = viewer.getByRole('log');
  await notices.locator('p').waitFor();
  await notices.getByRole('button', { name: 'Dismiss' }).click();
  await notices.locator('p').waitFor({ state: 'detached' });
});

test('cards share by their menus, in the same dialog', async () => {
  const account = await newAccount(stack, 'Ada');
  const { id } = await newCollection(account.api, 'Campaign', ['a.txt']);
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto('/collections');
  await choose(page, 'More actions for Campaign', 'Share…');
  await page.getByRole('dialog', { name: 'Share “Campaign”' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await visitor.goto(`/collections/${id}`);
  await choose(page, 'More actions for a.txt', 'Share…');
  const dialog = page.getByRole('dialog', { name: 'Share “a.txt”' });
  await dialog
    .getByRole('button', { name: /New link|Create link/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('the worker of the app leaves the page of a link to the network', async () => {
  const account = await newAccount(stack, 'Ada');
  const path = await shared({});
  await using visitor = await visit({ browser, stack }, { as: account, serviceWorkers: 'allow' });
  const { page } = visitor;
  await visitor.goto('/collections');
  await waitForWorker(page);
  await visitor.goto(path);
  await page.getByRole('list', { name: 'Shared files' }).getByRole('listitem').first().waitFor();
  expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
});
