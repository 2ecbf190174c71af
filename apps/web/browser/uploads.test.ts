// @module-tag slow

import {
  mkdtempSync,
  rmSync,
  writeFileSync,
  mkdirSync,
  openSync,
  ftruncateSync,
  closeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../api/src/testing/tcp-proxy.ts';
import { newAccount, newTeam, type Account } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { namesIn } from './testing/library.ts';
import { visit, type Visitor } from './testing/visitor.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const stack = inject('stack');
const directory = mkdtempSync(join(tmpdir(), 'atelier-files-'));
const largeBytes = 200 * 1024 * 1024;

/** Proxy between the browser and the storage. */
let network: TcpProxy;
let browser: Browser;
beforeAll(async () => {
  const storage = new URL(stack.storage);
  network = await startTcpProxy(Number(storage.port));
  browser = await launchChromium(`MAP ${storage.host} 127.0.0.1:${network.port}`);
});
afterAll(async () => {
  await browser?.close();
  await network?.close();
  rmSync(directory, { recursive: true });
});
afterEach(() => network.restore());

/** Creates a sparse file, which takes no disk space. */
function largeFile(name: string, bytes = largeBytes): string {
  const file = join(directory, name);
  const handle = openSync(file, 'w');
  ftruncateSync(handle, bytes);
  closeSync(handle);
  return file;
}

/** Creates an account with a collection and opens the app. */
async function uploader(): Promise<{ ada: Account; visitor: Visitor; collectionId: string }> {
  const ada = await newAccount(stack);
  const { id } = await ada.api.collections.create({ body: { title: 'Large things' } });
  const visitor = await visit({ browser, stack }, { as: ada });
  await visitor.goto('/');
  return { ada, visitor, collectionId: id };
}

/** Chooses files from the palette and the collection in the dialog. */
async function upload(page: Page, files: string[]): Promise<void> {
  await page.locator('h1').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('Upload files');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.keyboard.press('Enter'),
  ]);
  await chooser.setFiles(files);
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
}

const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const loadedBytes = (page: Page) =>
  tray(page)
    .getByRole('progressbar')
    .evaluate((bar: HTMLProgressElement) => bar.value);

async function untilLoaded(page: Page, atLeast: number): Promise<number> {
  await expect.poll(() => loadedBytes(page), { timeout: 60_000 }).toBeGreaterThan(atLeast);
  return loadedBytes(page);
}

/** Stalls an upload midway until the network is restored, no matter how fast the machine is. */
async function holdMidway(page: Page): Promise<void> {
  await untilLoaded(page, 1_000_000);
  network.stall();
}

/** Lets an upload fail midway. */
async function failMidway(page: Page): Promise<void> {
  await untilLoaded(page, 1_000_000);
  network.cut();
  await page.getByRole('button', { name: /^Retry / }).waitFor({ timeout: 90_000 });
  network.restore();
}

async function sizesOf({ api }: Account, collectionId: string): Promise<number[]> {
  const { items } = await api.assets.list({ query: { collectionId } });
  return items.map(({ fileSize }) => fileSize);
}

test('a 200 MB upload survives a network failure, a pause and a reload', async () => {
  const { ada, visitor, collectionId } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  visitor.allowError(/Failed to load resource: net::ERR_/);
  await upload(page, [largeFile('film.bin')]);
  await untilLoaded(page, 10_000_000);

  await failMidway(page);
  await page.evaluate("dispatchEvent(new Event('online'))");
  await untilLoaded(page, 15_000_000);

  await page.getByRole('button', { name: 'Pause film.bin' }).click();
  await tray(page).getByText('Paused').waitFor();
  await expectAccessible(page);

  await page.reload();
  await tray(page).getByText('Interrupted').waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    tray(page).getByRole('button', { name: 'Choose file' }).click(),
  ]);
  await chooser.setFiles(join(directory, 'film.bin'));
  await page.getByRole('link', { name: 'Open film.bin' }).waitFor({ timeout: 90_000 });
  expect(await sizesOf(ada, collectionId)).toEqual([largeBytes]);
});

test('a cancelled upload is removed from the tray and from the API', async () => {
  const { ada, visitor, collectionId } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  visitor.allowError(/ERR_ABORTED/);
  await upload(page, [largeFile('mistake.bin')]);
  await holdMidway(page);
  await page.getByRole('button', { name: 'Cancel mistake.bin' }).click();
  await tray(page).waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('h1').waitFor();
  expect(await tray(page).count()).toBe(0);
  expect(await sizesOf(ada, collectionId)).toEqual([]);
});

test('an interrupted upload that is cancelled leaves nothing', async () => {
  const { visitor } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  visitor.allowError(/ERR_ABORTED/);
  await upload(page, [largeFile('left.bin')]);
  await holdMidway(page);
  await page.reload();
  await tray(page).getByText('Interrupted').waitFor();
  const [aborted] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/upload/abort')),
    page.getByRole('button', { name: 'Cancel left.bin' }).click(),
  ]);
  expect(aborted.status()).toBe(200);
  await tray(page).waitFor({ state: 'detached' });
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('left.bin');
});

test('a failed upload says why, stays when finished ones are cleared, and leaves nothing when it is cancelled', async () => {
  const { ada, visitor, collectionId } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  visitor.allowError(/Failed to load resource: net::ERR_/);
  await upload(page, [largeFile('stuck.bin')]);
  await failMidway(page);
  await tray(page).getByText('Can’t reach the server.').waitFor();
  writeFileSync(join(directory, 'note.txt'), 'Sent.');
  await upload(page, [join(directory, 'note.txt')]);
  const sent = page.getByRole('link', { name: 'Open note.txt' });
  await sent.waitFor();
  await page.getByRole('button', { name: 'Clear finished uploads' }).click();
  await sent.waitFor({ state: 'detached' });
  const [aborted] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/upload/abort')),
    page.getByRole('button', { name: 'Cancel stuck.bin' }).click(),
  ]);
  expect(aborted.status()).toBe(200);
  await tray(page).waitFor({ state: 'detached' });
  expect(await sizesOf(ada, collectionId)).toEqual(['Sent.'.length]);
});

test('the whole reason of a failed upload is shown, and the whole name on hover', async () => {
  const { visitor } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  visitor.allowError(/status of 409/);
  const json = {
    success: false,
    code: 'plan_limit_reached',
    message: 'A plan limit has been reached',
    errors: [],
  };
  await page.route(/\/api\/upload\/initiate$/, (route) => route.fulfill({ status: 409, json }));
  const name = `${'a long name '.repeat(8)}.txt`;
  writeFileSync(join(directory, name), 'Too much.');
  await upload(page, [join(directory, name)]);
  const reason = tray(page).getByText('Delete something or change the plan.');
  await reason.waitFor();
  expect(await reason.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
  expect(await tray(page).getByText(name).getAttribute('title')).toBe(name);
});

test('paused uploads let those that wait go first', async () => {
  const { visitor } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  visitor.allowError(/ERR_/);
  network.stall();
  writeFileSync(join(directory, 'urgent.txt'), 'Go first.');
  const films = ['one.bin', 'two.bin', 'three.bin'];
  await upload(page, [...films.map((name) => largeFile(name)), join(directory, 'urgent.txt')]);
  for (const name of films) await page.getByRole('button', { name: `Pause ${name}` }).click();
  network.restore();
  await page.getByRole('link', { name: 'Open urgent.txt' }).waitFor();
  expect(await tray(page).getByText('Paused').count()).toBe(3);
});

test('uploads continue during navigation, and a folder is uploaded with all its files', async () => {
  const { ada, visitor, collectionId } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  const folder = join(directory, 'folder');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  for (const name of ['one.txt', 'two.txt', 'inner/three.txt']) {
    writeFileSync(join(folder, name), `This is ${name}.`);
  }
  await page.locator('h1').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Upload a folder');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.keyboard.press('Enter'),
  ]);
  await chooser.setFiles(folder);
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await tray(page).getByText('3 uploaded').waitFor();
  expect(await sizesOf(ada, collectionId)).toHaveLength(3);
});

/** Drags files and folders from disk over the window, as from another program. */
async function holdOver(page: Page, files: string[]) {
  const session = await page.context().newCDPSession(page);
  const at = { x: 600, y: 400, data: { items: [], files, dragOperationsMask: 1 } };
  const send = (type: 'dragEnter' | 'dragOver' | 'dragCancel' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, ...at });
  await send('dragEnter');
  await send('dragOver');
  return { drop: () => send('drop'), cancel: () => send('dragCancel') };
}

test('a dropped folder is uploaded with all its files', async () => {
  const { ada, visitor, collectionId } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  const folder = join(directory, 'lake');
  // Browsers return at most 100 entries of a folder at a time.
  const pictures = Array.from({ length: 103 }, (_, index) => `picture-${index}.txt`);
  mkdirSync(join(folder, 'one', 'two'), { recursive: true });
  mkdirSync(join(folder, 'empty'));
  for (const name of [...pictures, 'one/two/deep.txt', 'one/.DS_Store']) {
    writeFileSync(join(folder, name), `This is ${name}.`);
  }
  const beside = join(directory, 'beside.txt');
  writeFileSync(beside, 'Not in the folder.');

  await visitor.goto(`/collections/${collectionId}`);
  await page.getByRole('heading', { level: 1, name: 'Large things' }).waitFor();
  await waitForScripts(page);
  const overlay = page.getByText('Drop to upload');
  await (await holdOver(page, [folder])).cancel();
  await overlay.waitFor({ state: 'detached' });
  const held = await holdOver(page, [folder, beside]);
  await overlay.waitFor();
  await page.getByText('Into “Large things”').waitFor();
  await expectAccessible(page);
  await held.drop();
  await overlay.waitFor({ state: 'detached' });
  await tray(page).getByText('105 uploaded').waitFor({ timeout: 90_000 });
  const names = await namesIn(ada.api, collectionId);
  // Files that macOS creates in folders are skipped.
  expect(names).toEqual([...pictures, 'beside.txt', 'deep.txt'].toSorted());
  await expectAccessible(page);
});

test('a dropped file that is gone before it is read shows an error', async () => {
  const { ada, visitor, collectionId } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  await visitor.goto(`/collections/${collectionId}`);
  await page.getByRole('heading', { level: 1, name: 'Large things' }).waitFor();
  await waitForScripts(page);
  // Until the role is known, nothing is accepted.
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.txt'));
    DataTransferItem.prototype.webkitGetAsEntry = () => ({
      isFile: true,
      file: (_, reject) => reject(new DOMException('gone', 'NotFoundError')),
    });
    for (const type of ['dragenter', 'drop']) {
      document.body.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
      );
    }
  }`);
  await page.getByRole('log').getByText('could not be read').waitFor();
  expect(await sizesOf(ada, collectionId)).toEqual([]);
});

test('an upload continues in its team while the user works in another, and links back', async () => {
  const ada = await newAccount(stack);
  const [first, second] = [
    await newTeam(stack, [ada], 'First team'),
    await newTeam(stack, [ada], 'Second team'),
  ];
  const inFirst = { organizationId: first };
  const { id } = await ada.api.collections.create({ body: { title: 'Films' } }, inFirst);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId: first });
  visitor.allowError(/Failed to load resource: net::ERR_/);
  const { page } = visitor;
  await visitor.goto(`/collections/${id}`);
  await page.getByRole('heading', { level: 1, name: 'Films' }).waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files' }).click(),
  ]);
  await chooser.setFiles(largeFile('film.bin'));
  await holdMidway(page);

  const switchTo = async (name: string) => {
    await page.getByRole('button', { name: /^Switch organization/ }).click();
    await page.getByRole('menuitemradio', { name }).click();
    await page.getByText(`${name} overview`).waitFor();
  };
  await switchTo('Second team');
  expect(await loadedBytes(page)).toBeLessThan(largeBytes);
  network.restore();
  const open = page.getByRole('link', { name: 'Open film.bin' });
  await open.waitFor({ timeout: 90_000 });
  const sizes = async (organizationId: string) =>
    (await ada.api.assets.list({ query: {} }, { organizationId })).items.map(
      ({ fileSize }) => fileSize,
    );
  expect([await sizes(first), await sizes(second)]).toEqual([[largeBytes], []]);

  await open.click();
  await page.getByRole('heading', { level: 1, name: 'film.bin' }).waitFor();
  await page
    .getByRole('button', { name: /^Switch organization/ })
    .getByText('First team')
    .waitFor();
});

test('files dropped outside a collection ask for one', async () => {
  const { ada, visitor, collectionId } = await uploader();
  await using _ = visitor;
  const { page } = visitor;
  await page.locator('h1').waitFor();
  await waitForScripts(page);
  // Files are accepted once the role is known.
  await page.getByRole('button', { name: /^Switch organization/ }).waitFor();
  await page.evaluate(`{
    const files = new DataTransfer();
    files.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files }),
      );
    }
  }`);
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('link', { name: 'Open dropped.txt' }).waitFor();
  expect(await sizesOf(ada, collectionId)).toEqual([7]);
});

test.each([
  ['is sent', holdMidway, /ERR_ABORTED/],
  ['has failed', failMidway, /Failed to load resource: net::ERR_/],
])(
  'signing out while an upload %s leaves no trace of it for the next user',
  async (_state, stop, error) => {
    const { ada, visitor, collectionId } = await uploader();
    await using _ = visitor;
    const { page } = visitor;
    visitor.allowError(error);
    await upload(page, [largeFile('secret.bin')]);
    await stop(page);
    await page.getByRole('button', { name: /^Account menu for/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('secret.bin');
    const ben = await newAccount(stack, 'Ben');
    await page.getByLabel('Email').fill(ben.email);
    await page.getByLabel('Password').fill(ben.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: /^Good /, level: 1 }).waitFor();
    expect(await tray(page).count()).toBe(0);
    expect(await sizesOf(ada, collectionId)).toEqual([]);
  },
);
