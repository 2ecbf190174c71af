// @module-tag slow

import { openAsBlob, readFileSync } from 'node:fs';
import type { Asset } from '@atelier/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam, type Account } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import {
  choose,
  expectEventually,
  expectTiles,
  namesIn,
  newCollection,
  picture,
  uploadFile,
} from './testing/library.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe('an asset', () => {
  async function withAsset(
    file: { name: string; type: string; content: string | Blob },
    firstName = 'Ada',
  ): Promise<{ account: Account; asset: Asset }> {
    const account = await newAccount(stack, firstName);
    const { id: collectionId } = await newCollection(account.api, 'Desk', []);
    return { account, asset: await uploadFile(account.api, { ...file, collectionId }) };
  }

  test('shows an image with its details', async () => {
    const { account, asset } = await withAsset({
      name: 'sky.jpg',
      type: 'image/jpeg',
      content: await openAsBlob(picture),
    });
    await using visitor = await visit({ browser, stack }, { as: account, colorScheme: 'dark' });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    const image = page.getByRole('img', { name: 'Preview of sky.jpg' });
    await expectEventually(() =>
      image.evaluate((element: HTMLImageElement) => element.naturalWidth),
    ).toBe(1280);
    await page.getByText('image/jpeg').waitFor();
    await expectAccessible(page);
  });

  test('names who uploaded it, however many members the team has', async () => {
    const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
    const organizationId = await newTeam(stack, [ada, ben]);
    const { id: collectionId } = await ben.api.collections.create(
      { body: { title: 'Desk' } },
      { organizationId },
    );
    const file = { name: 'plan.txt', type: 'text/plain', content: 'a plan', collectionId };
    const { id } = await uploadFile(ben.api, { ...file, organizationId });
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    const { page } = visitor;
    await page.route(/\/members\?/, (route) =>
      route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
    );
    await visitor.goto(`/assets/${id}`);
    await page.getByText(`by ${ben.displayName}`).first().waitFor();
    expect(await page.getByText('a former member').count()).toBe(0);
  });

  test('shows a text file as plain text, even if it contains markup', async () => {
    const content = '<script>document.title = "run"</script><b>bold</b>';
    const { account, asset } = await withAsset({ name: 'page.html', type: 'text/html', content });
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    const preview = page.getByRole('region', { name: 'Preview of page.html' });
    await expectEventually(() => preview.textContent({ timeout: 10_000 })).toBe(content);
    expect(await page.title()).toBe('page.html · Atelier');
    await expectAccessible(page);
  });

  test.each([
    { name: 'song.mp3', type: 'audio/mpeg', element: 'audio' },
    { name: 'film.mp4', type: 'video/mp4', element: 'video' },
  ])('shows that a broken $element can’t be previewed', async ({ name, type, element }) => {
    const { account, asset } = await withAsset({ name, type, content: 'not a recording' });
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    await page.getByText('The preview can’t be shown').waitFor();
    expect(await page.locator(element).count()).toBe(0);
  });

  test('opens a PDF in a new tab, and shows when there is no preview', async () => {
    const { account, asset } = await withAsset({
      name: 'paper.pdf',
      type: 'application/pdf',
      content: '%PDF-1.4\n',
    });
    const { collectionId } = asset;
    const zip = { name: 'all.zip', type: 'application/zip', content: 'PK', collectionId };
    const other = await uploadFile(account.api, zip);
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    const link = page.getByRole('link', { name: 'Open the PDF in a new tab' });
    const response = await fetch((await link.getAttribute('href')) ?? '');
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toMatch(/^inline/);
    await visitor.goto(`/assets/${other.id}`);
    await page.getByText('No preview for this file type').waitFor();
    await expectAccessible(page);
  });

  test('renames, moves, stars, downloads, deletes and restores an asset', async () => {
    const { account, asset } = await withAsset({
      name: 'draft.txt',
      type: 'text/plain',
      content: 'the words',
    });
    const { api } = account;
    const archive = await newCollection(api, 'Archive', []);
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    await choose(page, /^More actions/, 'Rename…');
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Give the asset a name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('final.txt');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'final.txt' }).waitFor();
    await page.getByRole('button', { name: 'Favorite: final.txt' }).click();
    await choose(page, /^More actions/, 'Move…');
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await page.getByRole('link', { name: 'Archive' }).first().waitFor();
    // Name and star are shown before they are stored.
    await expectEventually(() => api.assets.get({ params: { id: asset.id } })).toMatchObject({
      assetName: 'final.txt',
      collectionId: archive.id,
      isFavorite: true,
    });

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('final.txt');
    expect(readFileSync(await file.path(), 'utf8')).toBe('the words');

    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByText('renamed it from “draft.txt” to “final.txt”').waitFor();
    await page.getByText('moved it to another collection').waitFor();
    await expectAccessible(page);

    await choose(page, /^More actions/, 'Delete');
    await page.getByRole('heading', { name: 'Drop files here' }).waitFor();
    await page.getByText('Moved “final.txt” to the bin.').waitFor();
    expect(await namesIn(api, archive.id)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expectTiles(page, 'Assets', ['final.txt']);
  });

  test('uploads, downloads and restores versions', async () => {
    const { account, asset } = await withAsset({
      name: 'draft.txt',
      type: 'text/plain',
      content: 'first words',
    });
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}?tab=versions`);
    const preview = page.getByRole('region', { name: 'Preview of draft.txt' });
    await expectEventually(() => preview.textContent()).toBe('first words');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload a new version' }).click();
    const buffer = Buffer.from('second words');
    await (await chooser).setFiles({ name: 'draft.txt', mimeType: 'text/plain', buffer });
    await page.getByText('Version 2').waitFor();
    await expectEventually(() => preview.textContent()).toBe('second words');
    await expectAccessible(page);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download version 1' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toBe('first words');

    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Version 1 was restored as version 3.').waitFor();
    await page.getByText('Same content as version 1').waitFor();
    await expectEventually(() => preview.textContent()).toBe('first words');
    const stored = await account.api.assets.get({ params: { id: asset.id } });
    expect(stored.currentVersion).toBe(3);
  });

  test('copies the public link, which works for anyone until it is turned off', async () => {
    const { account, asset } = await withAsset({
      name: 'open.txt',
      type: 'text/plain',
      content: 'for all',
    });
    await using visitor = await visit(
      { browser, stack },
      { as: account, permissions: ['clipboard-read', 'clipboard-write'] },
    );
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied to clipboard.').waitFor();
    const url = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(url).toBe(asset.assetShortUrl);
    expect(await (await fetch(url)).text()).toBe('for all');

    const toggle = page.getByRole('switch', { name: 'Public link' });
    await toggle.press('Space');
    await page.getByText('Only members of this organization can open this file.').waitFor();
    expect(await page.getByLabel('Public URL').count()).toBe(0);
    await expectEventually(async () => (await fetch(url)).status).toBe(404);
    await toggle.press('Space');
    const next = page.getByLabel('Public URL');
    await next.waitFor();
    await expectEventually(async () => (await fetch(await next.inputValue())).status).toBe(200);
    expect((await fetch(url)).status).toBe(404);
  });

  test('publishes an asset to a team, which gets its own copy', async () => {
    const { account, asset } = await withAsset({
      name: 'plan.txt',
      type: 'text/plain',
      content: 'a plan',
    });
    const organizationId = await newTeam(stack, [account], 'Quay Team');
    await using visitor = await visit({ browser, stack }, { as: account, organizationId: null });
    const { page } = visitor;
    visitor.allowError(/status of 409/);
    await visitor.goto(`/assets/${asset.id}`);
    await choose(page, /^More actions/, 'Publish to a team…');
    await page.getByLabel('Team').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published “plan.txt” to Quay Team.').waitFor();
    const published = () =>
      account.api.assets.list({ query: { scope: 'organization' } }, { organizationId });
    expect((await published()).items).toEqual([
      expect.objectContaining({ assetName: 'plan.txt', publishedFromAssetId: asset.id }),
    ]);

    await choose(page, /^More actions/, 'Publish to a team…');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('This asset has already been published.').waitFor();
    expect((await published()).items).toHaveLength(1);
  });

  test('shows “Not found” for assets of other organizations and malformed ids', async () => {
    const { asset } = await withAsset({ name: 'a.txt', type: 'text/plain', content: 'a' });
    const eve = await newAccount(stack, 'Eve');
    await using visitor = await visit({ browser, stack }, { as: eve });
    const { page } = visitor;
    visitor.allowError(/status of 40[04]/);
    for (const path of [`/assets/${asset.id}`, `/collections/${asset.collectionId}`, '/assets/x']) {
      await visitor.goto(path);
      await page.getByText('Not found').waitFor();
      expect(await page.getByText('a.txt').count()).toBe(0);
    }
  });
});
