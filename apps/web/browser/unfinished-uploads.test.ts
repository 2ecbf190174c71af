// @module-tag slow

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { choose, namesIn, uploadFile } from './testing/library.ts';
import { heading, reloadAndStay, signIn } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const stack = inject('stack');
const directory = mkdtempSync(join(tmpdir(), 'atelier-unfinished-'));
const names = ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt', '6.txt'];
const files = names.map((name) => {
  const path = join(directory, name);
  writeFileSync(path, `This is ${name}.`);
  return path;
});

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' });

/** Opens a collection, whose uploads are not sent until the storage is released. */
async function opened() {
  const ada = await newAccount(stack);
  const { id: collectionId } = await ada.api.collections.create({ body: { title: 'Desk' } });
  const visitor = await visit({ browser, stack }, { as: ada });
  visitor.allowError(/ERR_ABORTED/);
  const { page } = visitor;
  const held = (url: URL) => url.origin === new URL(stack.storage).origin;
  await page.route(held, () => {});
  const release = () => page.unroute(held);
  const open = async () => {
    await visitor.goto(`/collections/${collectionId}`);
    await heading(page, 'Desk');
    await waitForScripts(page);
  };
  return { ada, collectionId, visitor, page, release, open };
}

async function chooseFiles(
  page: Page,
  chosen: string[],
  click: () => Promise<void>,
): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), click()]);
  await chooser.setFiles(chosen);
}

/** Uploads files to the open collection. */
const upload = (page: Page, chosen: string[]) =>
  chooseFiles(page, chosen, async () => {
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Files…' }).click();
  });

test('a reload asks first, and keeps all files that wait in the list, to be chosen again at once', async () => {
  const { ada, collectionId, visitor, page, release, open } = await opened();
  await using _ = visitor;
  await open();
  await upload(page, files);
  await tray(page).getByText('Uploading 6 files').waitFor();
  await reloadAndStay(page);
  await tray(page).getByText('Uploading 6 files').waitFor();

  await page.reload();
  await tray(page).getByText('6 not finished').waitFor();
  await expectAccessible(page);
  await release();
  const other = join(directory, 'other.txt');
  writeFileSync(other, 'Not of an upload.');
  await chooseFiles(page, [...files.slice(0, 4), other], () =>
    tray(page).getByRole('button', { name: 'Choose file' }).first().click(),
  );
  await page.getByRole('log').getByText('This is a different file').waitFor();
  await tray(page).getByText('2 not finished').waitFor();
  // Dropped or chosen for the same collection, they are the same uploads.
  await upload(page, files.slice(4));
  await tray(page).getByText('6 uploaded').waitFor();
  expect(await namesIn(ada.api, collectionId)).toEqual(names);
  await page.reload();
  await heading(page, 'Desk');
  expect(await tray(page).count()).toBe(0);
});

test('all unfinished uploads are cancelled at once', async () => {
  const { ada, collectionId, visitor, page, open } = await opened();
  await using _ = visitor;
  await open();
  await upload(page, files);
  await tray(page).getByText('Uploading 6 files').waitFor();
  await page.reload();
  await tray(page).getByText('6 not finished').waitFor();
  await page.getByRole('button', { name: 'Cancel unfinished uploads' }).click();
  await tray(page).waitFor({ state: 'detached' });
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('6.txt');
  expect(await namesIn(ada.api, collectionId)).toEqual([]);
});

test('a reload asks while files wait for a decision, and downloads of files ask nothing', async () => {
  const { ada, collectionId, visitor, page, open, release } = await opened();
  await using _ = visitor;
  const content = 'Uploaded before.';
  const asset = await uploadFile(ada.api, {
    name: '1.txt',
    type: 'text/plain',
    content,
    collectionId,
  });
  await open();
  await upload(page, files);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: '“1.txt” is already' }).waitFor();
  await reloadAndStay(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await tray(page).getByText('Uploading 5 files').waitFor();

  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.type());
    void question.dismiss();
  });
  // Those under way stay held.
  await release();
  const download = page.waitForEvent('download');
  await choose(page, `More actions for ${asset.assetName}`, 'Download');
  await (await download).path();
  expect(questions).toEqual([]);
});

test('files that wait for a collection are gone for the next user after a sign-out in another tab', async () => {
  const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/');
  await heading(page, /^Good /);
  await waitForScripts(page);
  await page.getByRole('button', { name: /^Switch organization/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Upload files');
  await chooseFiles(page, files, () => page.keyboard.press('Enter'));
  const question = page.getByRole('dialog', { name: 'Where should they go?' });
  await question.waitFor();

  const other = await visitor.newTab();
  await other.getByRole('button', { name: /^Account menu for/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in');
  await signIn(page, ben.email, ben.password);
  await heading(page, /^Good .*Ben/);
  await waitForScripts(page);
  expect(await question.count()).toBe(0);
});
