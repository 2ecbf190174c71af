// @module-tag slow

import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { choose, expectEventually, uploadFile } from './testing/library.ts';
import { visit } from './testing/visitor.ts';
import { filesInZip } from './testing/zip.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** A browser that writes to a file which the user picks; here, to one of the origin's own. */
const withPicker = `window.showSaveFilePicker = async ({ suggestedName }) => {
  const directory = await navigator.storage.getDirectory();
  return directory.getFileHandle(suggestedName, { create: true });
};`;
const withoutPicker = `Object.defineProperty(window, 'showSaveFilePicker', { value: undefined });`;

/** Opens a collection `Desk` with these files, oldest first. */
async function opened(
  files: readonly (readonly [name: string, content: string])[],
  script: string,
) {
  const { api, ...account } = await newAccount(stack);
  const { id: collectionId } = await api.collections.create({ body: { title: 'Desk' } });
  const assets = [];
  for (const [name, content] of files) {
    assets.push(await uploadFile(api, { name, type: 'text/plain', content, collectionId }));
  }
  const visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await page.addInitScript(script);
  await visitor.goto(`/collections/${collectionId}`);
  await page.getByRole('list', { name: 'Assets' }).waitFor();
  return { api, assets, visitor, page };
}

const downloadAll = (page: Page) =>
  choose(page, 'More actions for this collection', 'Download all as ZIP');
const panel = (page: Page) => page.getByRole('region', { name: 'Downloads' });

/** Returns the names of the files that the user's picks have left. */
const pickedFiles = (page: Page) =>
  page.evaluate<string[]>(
    `navigator.storage.getDirectory().then((directory) => Array.fromAsync(directory.keys()))`,
  );

async function pickedZip(page: Page, name: string): Promise<Buffer> {
  const bytes = await page.evaluate<number[]>(`(async () => {
    const directory = await navigator.storage.getDirectory();
    const file = await (await directory.getFileHandle('${name}')).getFile();
    return [...new Uint8Array(await file.arrayBuffer())];
  })()`);
  return Buffer.from(bytes);
}

test('a whole collection is written to a file, page by page, with a name for each file', async () => {
  const files = [
    ['notes.txt', 'the first'],
    ['empty.txt', ''],
    ['Notes.txt', 'the second'],
    ['notes.txt', 'the third'],
    ['übung.txt', 'with an accent'],
  ] as const;
  const { visitor, page } = await opened(files, withPicker);
  await using _ = visitor;
  // Two on a page, so that there are several pages.
  await page.route(/limit=100/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=2') }),
  );
  await downloadAll(page);
  await panel(page).getByText('1 downloaded').waitFor();
  await panel(page).getByText('5 files').waitFor();
  expect(filesInZip(await pickedZip(page, 'Desk.zip'))).toEqual([
    ['notes.txt', 'the first'],
    ['empty.txt', ''],
    ['Notes (2).txt', 'the second'],
    ['notes (3).txt', 'the third'],
    ['übung.txt', 'with an accent'],
  ]);
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectAccessibleInBoth(page);
});

test('a browser that can’t write to a file downloads a selection, and says what it can’t take', async () => {
  const files = [
    ['a.txt', 'a'],
    ['b.txt', 'b'],
    ['c.txt', 'c'],
  ] as const;
  const { visitor, page } = await opened(files, withoutPicker);
  await using _ = visitor;
  for (const name of ['a.txt', 'c.txt']) await page.getByLabel(`Select ${name}`).check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download ZIP' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Desk.zip');
  const zip = filesInZip(readFileSync(await file.path()));
  expect(new Map(zip)).toEqual(
    new Map([
      ['a.txt', 'a'],
      ['c.txt', 'c'],
    ]),
  );

  await page.route(/limit=100/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const item of body.data.items) item.fileSize = 200_000_000;
    await route.fulfill({ response, json: body });
  });
  await downloadAll(page);
  await panel(page).getByText('at most 500 MB').waitFor();
  await expectAccessibleInBoth(page);
});

test('what breaks off is continued, and what is gone is listed', async () => {
  const files = [
    ['one.txt', 'the first file'],
    ['gone.txt', 'deleted meanwhile'],
    ['two.txt', 'the second file'],
  ] as const;
  const { api, assets, visitor, page } = await opened(files, withPicker);
  await using _ = visitor;
  visitor.allowError(/Failed to load resource/);
  const ranges: (string | undefined)[] = [];
  await page.route(
    (url) => url.origin === new URL(stack.storage).origin && url.pathname.endsWith('two.txt'),
    async (route) => {
      const { range } = route.request().headers();
      ranges.push(range);
      if (ranges.length === 1) return route.abort();
      if (ranges.length === 2) {
        const headers = { 'access-control-allow-origin': '*' };
        return route.fulfill({ body: 'the sec', headers });
      }
      return route.continue();
    },
  );
  const gone = String(assets[1]?.id);
  await page.route(new RegExp(`/assets/${gone}/download`), async (route) => {
    await api.assets.remove({ params: { id: gone } });
    await route.continue();
  });
  await downloadAll(page);
  await panel(page).getByText('1 file is missing in the ZIP').waitFor();
  await panel(page).getByText('gone.txt').waitFor();
  await panel(page).getByRole('heading', { name: '1 downloaded, 1 incomplete' }).waitFor();
  await page.getByRole('log').getByText('“Desk.zip” lacks files').waitFor();
  expect(filesInZip(await pickedZip(page, 'Desk.zip'))).toEqual([
    ['one.txt', 'the first file'],
    ['two.txt', 'the second file'],
  ]);
  expect(ranges).toEqual([undefined, undefined, 'bytes=7-']);
  await expectAccessibleInBoth(page);
});

test('a failed download stays in the list until another one replaces it', async () => {
  const { visitor, page } = await opened([['one.txt', 'the first file']], withPicker);
  await using _ = visitor;
  visitor.allowError(/Failed to load resource/);
  const gone = { success: false, code: 'not_found', message: 'Gone', errors: [] };
  await page.route(/\/assets\/.*\/download/, (route) => route.fulfill({ status: 404, json: gone }));
  await downloadAll(page);
  const retry = panel(page).getByRole('button', { name: 'Download Desk.zip again' });
  await retry.waitFor();

  const answer = (name: string) =>
    page.evaluate(`{
      const pick = window.showSaveFilePicker;
      window.showSaveFilePicker = async () => {
        window.showSaveFilePicker = pick;
        throw new DOMException('No', '${name}');
      };
    }`);
  await answer('AbortError');
  await retry.click();
  await panel(page).getByRole('heading', { name: '1 not downloaded' }).waitFor();
  expect(await retry.count()).toBe(1);
  await answer('SecurityError');
  await retry.click();
  await page.getByRole('log').getByText('The download couldn’t be started.').waitFor();
  expect(await retry.count()).toBe(1);
  await page.unrouteAll();
  await page.getByRole('log').getByRole('button', { name: 'Try again' }).click();
  await panel(page).getByRole('heading', { name: '1 downloaded' }).waitFor();
  expect(filesInZip(await pickedZip(page, 'Desk.zip'))).toEqual([['one.txt', 'the first file']]);
});

test('a cancelled download leaves nothing behind', async () => {
  const { visitor, page } = await opened([['a.txt', 'a']], withPicker);
  await using _ = visitor;
  await page.route(
    (url) => url.origin === new URL(stack.storage).origin,
    () => new Promise(() => {}),
  );
  await downloadAll(page);
  await panel(page).getByText('0 of 1 file').waitFor();
  await page.getByRole('progressbar', { name: 'Progress of Desk.zip' }).waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Cancel Desk.zip' }).click();
  await panel(page).waitFor({ state: 'detached' });
  await expectEventually(() => pickedFiles(page)).toEqual([]);
});
