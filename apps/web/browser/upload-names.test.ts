// @module-tag slow

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam, type Account } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { namesIn, newCollection, uploadFile } from './testing/library.ts';
import { waitForScripts } from './testing/wait-for-page.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
const directory = mkdtempSync(join(tmpdir(), 'atelier-names-'));

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

/** Opens a collection with these files as its owner. */
async function opened(names: readonly string[], options: { width?: number } = {}) {
  const account = await newAccount(stack);
  const collection = await newCollection(account.api, 'Desk', names);
  const visitor = await visit(
    { browser, stack },
    { as: account, ...(options.width && { viewport: { width: options.width, height: 800 } }) },
  );
  await openCollection(visitor.page, collection.id);
  return { account, collectionId: collection.id, visitor, page: visitor.page };
}

async function openCollection(page: Page, id: string): Promise<void> {
  await page.goto(`/collections/${id}`);
  await page.getByRole('heading', { level: 1, name: 'Desk' }).waitFor();
  await waitForScripts(page);
}

/** Drops files on the window, all in one batch. */
async function dropFiles(page: Page, names: readonly string[]): Promise<void> {
  await page.evaluate(`{
    const files = new DataTransfer();
    for (const name of ${JSON.stringify(names)}) {
      files.items.add(new File(['new content'], name, { type: 'text/plain' }));
    }
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files }),
      );
    }
  }`);
}

const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const dialog = (page: Page) => page.getByRole('dialog');

/** Returns the current version of each asset, by name. */
async function versionsIn({ api }: Account, collectionId: string) {
  const { items } = await api.assets.list({ query: { collectionId, sort: 'assetName' } });
  return items.map(({ assetName, currentVersion }) => `${assetName} ${currentVersion}`);
}

test('a file with a name of the collection becomes a new version, by keyboard alone', async () => {
  const { account, collectionId, visitor, page } = await opened(['plan.txt', 'other.txt']);
  await using _ = visitor;
  await dropFiles(page, ['plan.txt', 'new.txt']);
  await dialog(page).getByRole('heading', { name: '“plan.txt” is already' }).waitFor();
  // The other file doesn't wait for the decision.
  await tray(page).getByText('1 uploaded').waitFor();
  await expectAccessibleInBoth(page);
  expect(await page.evaluate('document.activeElement.value')).toBe('version');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await tray(page).getByText('2 uploaded').waitFor();
  await tray(page).getByText('New version').waitFor();
  await expectAccessibleInBoth(page);
  expect(await versionsIn(account, collectionId)).toEqual([
    'new.txt 1',
    'other.txt 1',
    'plan.txt 2',
  ]);

  // Nothing is remembered: the next batch asks again, and Escape uploads nothing.
  await dropFiles(page, ['plan.txt']);
  await dialog(page).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await tray(page).getByText('2 uploaded, 1 skipped').waitFor();
  expect(await versionsIn(account, collectionId)).toEqual([
    'new.txt 1',
    'other.txt 1',
    'plan.txt 2',
  ]);
});

test('files of a folder are decided one by one, or all in the same way', async () => {
  const { account, collectionId, visitor, page } = await opened(['a.txt', 'b.txt', 'c.txt'], {
    width: 390,
  });
  await using _ = visitor;
  const folder = join(directory, 'folder');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  for (const name of ['a.txt', 'b.txt', 'inner/c.txt', 'inner/d.txt']) {
    writeFileSync(join(folder, name), `This is ${name}.`);
  }
  const chooseFolder = async () => {
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: 'Folder…' }).click(),
    ]);
    await chooser.setFiles(folder);
  };
  await chooseFolder();
  await dialog(page).getByRole('heading', { name: '3 files are already' }).waitFor();
  await dialog(page)
    .getByRole('radio', { name: /^Decide for each file/ })
    .check();
  await dialog(page).getByLabel('folder/b.txt').selectOption('Keep both');
  await dialog(page).getByLabel('folder/inner/c.txt').selectOption('Skip');
  await expectAccessibleInBoth(page);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await tray(page).getByText('3 uploaded, 1 skipped').waitFor();
  await tray(page).getByText('Keeps both').waitFor();
  const first = ['a.txt 2', 'b.txt 1', 'b.txt 1', 'c.txt 1', 'd.txt 1'];
  expect(await versionsIn(account, collectionId)).toEqual(first);

  await chooseFolder();
  await dialog(page).getByRole('heading', { name: '4 files are already' }).waitFor();
  await dialog(page)
    .getByRole('radio', { name: /^Keep both/ })
    .check();
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await tray(page).getByText('7 uploaded, 1 skipped').waitFor();
  expect(await namesIn(account.api, collectionId)).toHaveLength(9);
});

test('uploads go on if the names can’t be compared', async () => {
  const { account, collectionId, visitor, page } = await opened(['plan.txt']);
  await using _ = visitor;
  visitor.allowError(/Failed to load resource/);
  await page.route(/[?&]names=/, (route) => route.abort());
  await dropFiles(page, ['plan.txt']);
  await tray(page).getByText('1 uploaded').waitFor();
  expect(await versionsIn(account, collectionId)).toEqual(['plan.txt 1', 'plan.txt 1']);
});

test('a member can’t add a version to the file of another', async () => {
  const [ada, ben] = [await newAccount(stack), await newAccount(stack, 'Ben')];
  const organizationId = await newTeam(stack, [ada, ben]);
  const options = { organizationId };
  const { id: collectionId } = await ada.api.collections.create(
    { body: { title: 'Desk' } },
    options,
  );
  const file = { name: 'plan.txt', type: 'text/plain', content: 'x' };
  await uploadFile(ada.api, { ...file, collectionId, organizationId });
  await using visitor = await visit({ browser, stack }, { as: ben, organizationId });
  const { page } = visitor;
  await openCollection(page, collectionId);
  await dropFiles(page, ['plan.txt']);
  await dialog(page)
    .getByRole('radio', { name: /^Keep both/ })
    .waitFor();
  const choices = dialog(page).getByRole('radio');
  expect(await choices.count()).toBe(2);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await tray(page).getByText('1 uploaded').waitFor();
  const { items } = await ben.api.assets.listInCollection({ params: { collectionId } }, options);
  expect(items.map(({ currentVersion }) => currentVersion)).toEqual([1, 1]);
});
