import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { choose, expectEventually, newCollection, uploadFile } from './testing/library.ts';
import { pdfWith } from './testing/pdf.ts';
import { waitForWorker } from './testing/offline.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** A second of a quiet tone. */
function tone(): Blob {
  const samples = 8000;
  const header = new DataView(new ArrayBuffer(44));
  const write = (at: number, text: string) =>
    Array.from(text, (letter, index) => header.setUint8(at + index, letter.charCodeAt(0)));
  write(0, 'RIFF');
  header.setUint32(4, 36 + samples, true);
  write(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, samples, true);
  header.setUint32(28, samples, true);
  header.setUint16(32, 1, true);
  header.setUint16(34, 8, true);
  write(36, 'data');
  header.setUint32(40, samples, true);
  const sound = Uint8Array.from({ length: samples }, (_, at) => 128 + 20 * Math.sin(at / 3));
  return new Blob([header, sound]);
}

async function shared(conditions: object) {
  const { api } = await newAccount(stack, 'Ada');
  const { id: collectionId } = await newCollection(api, 'Campaign', []);
  const files = [
    { name: 'plan.pdf', type: 'application/pdf', content: pdfWith(['First page', 'Second page']) },
    { name: 'tone.wav', type: 'audio/wav', content: tone() },
    { name: 'film.mp4', type: 'video/mp4', content: 'no film' },
  ];
  for (const file of files) await uploadFile(api, { ...file, collectionId });
  const body = { targetType: 'COLLECTION' as const, targetId: collectionId, ...conditions };
  const { pathname, hash } = new URL((await api.shares.create({ body })).url ?? '');
  return pathname + hash;
}

const open = (page: Page, name: string) =>
  page.getByRole('button', { name: `Open ${name}`, exact: true }).click();

test('a visitor who may download reads a PDF and hears a sound in the page', async () => {
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
