import { openAsBlob, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asset, Client, Collection } from '@atelier/client';
import { upload } from '@atelier/client/upload';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam, type Account } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');
const samples = join(import.meta.dirname, '../../../packages/devstack/samples');
const picture = join(samples, 'evening-ridge.jpg');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** Uploads a file by the API. */
function put(
  api: Client,
  {
    name,
    type,
    content,
    ...target
  }: {
    name: string;
    type: string;
    content: string | Blob;
    collectionId: string;
    assetId?: string;
  },
): Promise<Asset> {
  return upload(api, new Blob([content], { type }), { ...target, fileName: name }).done;
}

/** A collection with texts of these names, each as long as its place in the list. */
async function shelf(api: Client, title: string, names: readonly string[]): Promise<Collection> {
  const collection = await api.collections.create({ body: { title } });
  for (const [index, name] of names.entries()) {
    const content = 'x'.repeat(index + 1);
    await put(api, { name, type: 'text/plain', content, collectionId: collection.id });
  }
  return collection;
}

async function namesIn(api: Client, collectionId: string): Promise<readonly string[]> {
  const { items } = await api.assets.listInCollection({ params: { collectionId } });
  return items.map(({ assetName }) => assetName).toSorted();
}

/** Names of the tiles that are shown, in their order. */
async function tiles(page: Page, list: string): Promise<readonly string[]> {
  return page.getByRole('list', { name: list }).getByRole('link').allTextContents();
}

/** Waits until the tiles are these. */
async function expectTiles(page: Page, list: string, names: readonly string[]): Promise<void> {
  await expectSoon(() => tiles(page, list)).toEqual(names);
}

/** Expects what is so in a moment. */
function expectSoon<Answer>(read: () => Answer | Promise<Answer>) {
  return expect.poll(read, { timeout: 15_000 });
}

async function choose(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('collections', () => {
  test('one is made, renamed, marked, deleted and taken back', async () => {
    const ada = await newAccount(stack, 'Ada');
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/collections');
    await page.getByRole('heading', { name: 'No collections yet' }).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'New collection' }).first().click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Give the collection a title.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Title').fill('Posters');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Posters' }).waitFor();
    await page.getByRole('heading', { name: 'Drop files here' }).waitFor();
    await expectAccessible(page);

    await choose(page, 'More actions for this collection', 'Rename…');
    await page.getByLabel('Title').fill('Big posters');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Big posters' }).waitFor();
    await page.getByRole('button', { name: 'Favorite: Big posters' }).click();
    const stored = async () => (await ada.api.collections.list({})).items;
    await expectSoon(stored).toEqual([
      expect.objectContaining({ title: 'Big posters', isFavorite: true }),
    ]);

    await choose(page, 'More actions for this collection', 'Delete');
    await page.getByRole('heading', { name: 'No collections yet' }).waitFor();
    await expectSoon(stored).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectTiles(page, 'Collections', ['Big posters']);
    expect(await stored()).toHaveLength(1);
  });

  test('they are searched, sorted and narrowed to one’s own, and the address remembers it', async () => {
    const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
    const organizationId = await newTeam(stack, [ada, ben]);
    for (const title of ['Alpha', 'Beta one', 'Beta two']) {
      await ada.api.collections.create({ body: { title } }, { organizationId });
    }
    await ben.api.collections.create({ body: { title: 'Ben’s' } }, { organizationId });
    await using visitor = await visit({ browser, stack }, { as: ben, organizationId });
    const { page } = visitor;
    await visitor.goto('/collections');
    await page.getByLabel('Sort').selectOption('Title Z–A');
    await expectTiles(page, 'Collections', ['Beta two', 'Beta one', 'Ben’s', 'Alpha']);
    await page.getByLabel('Search collections').fill('beta');
    await expectTiles(page, 'Collections', ['Beta two', 'Beta one']);
    await page.reload();
    await expectTiles(page, 'Collections', ['Beta two', 'Beta one']);
    await page.getByLabel('Search collections').fill('nothing like it');
    await page.getByRole('heading', { name: 'Nothing fits' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await expectTiles(page, 'Collections', ['Ben’s', 'Beta two', 'Beta one', 'Alpha']);
    await page.getByLabel('Mine').check();
    await expectTiles(page, 'Collections', ['Ben’s']);
  });
});

describe('the assets of a collection', () => {
  test('files that are dropped or chosen are uploaded and appear', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await shelf(ada.api, 'Inbox', []);
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto(`/collections/${id}`);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await chooser).setFiles(picture);
    await expectTiles(page, 'Assets', ['evening-ridge.jpg']);

    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
      const event = { bubbles: true, cancelable: true, dataTransfer };
      document.body.dispatchEvent(new DragEvent('dragenter', event));
      document.body.dispatchEvent(new DragEvent('drop', event));
    });
    await expectTiles(page, 'Assets', ['dropped.txt', 'evening-ridge.jpg']);
    expect(await namesIn(ada.api, id)).toEqual(['dropped.txt', 'evening-ridge.jpg']);
    await expectAccessible(page);
  });

  test('they are searched, filtered and sorted, as tiles and as a table', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await shelf(ada.api, 'Mixed', ['b.txt', 'c.txt', 'a.txt']);
    await put(ada.api, {
      name: 'sky.jpg',
      type: 'image/jpeg',
      content: await openAsBlob(picture),
      collectionId: id,
    });
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto(`/collections/${id}`);
    await expectTiles(page, 'Assets', ['sky.jpg', 'a.txt', 'c.txt', 'b.txt']);
    await page.getByLabel('Type').selectOption('Images');
    await expectTiles(page, 'Assets', ['sky.jpg']);
    await page.getByLabel('Type').selectOption('Text');
    await page.getByLabel('Sort').selectOption('Name A–Z');
    await expectTiles(page, 'Assets', ['a.txt', 'b.txt', 'c.txt']);
    await page.getByLabel('Search assets').fill('c.t');
    await expectTiles(page, 'Assets', ['c.txt']);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expectTiles(page, 'Assets', ['a.txt', 'b.txt', 'c.txt']);

    await page.getByLabel('Table', { exact: true }).check();
    const rows = () => page.getByRole('table').getByRole('link').allTextContents();
    await page.getByRole('button', { name: 'Size' }).click();
    await expectSoon(rows).toEqual(['a.txt', 'c.txt', 'b.txt']);
    expect(await page.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    await page.getByRole('button', { name: 'Size' }).click();
    await expectSoon(rows).toEqual(['b.txt', 'c.txt', 'a.txt']);
    await expectAccessible(page);
    await page.reload();
    await expectSoon(rows).toEqual(['b.txt', 'c.txt', 'a.txt']);
  });

  test('several are marked, moved and deleted at once, by keyboard alone, and taken back', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await shelf(ada.api, 'Desk', ['1.txt', '2.txt', '3.txt', '4.txt']);
    const archive = await shelf(ada.api, 'Archive', []);
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto(`/collections/${id}?sort=assetName`);
    await expectTiles(page, 'Assets', ['1.txt', '2.txt', '3.txt', '4.txt']);

    await page.getByLabel('Select 1.txt').focus();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Search assets').waitFor();

    await page.getByLabel('Select 1.txt').check({ force: true });
    await page.getByLabel('Select 3.txt').click({ modifiers: ['Shift'], force: true });
    await page.getByText('3 selected').waitFor();
    await expectAccessible(page);
    await press(page, 'Favorite');
    const favorites = async () =>
      (await ada.api.assets.list({ query: { favorite: true, sort: 'assetName' } })).items.map(
        ({ assetName }) => assetName,
      );
    await expectSoon(favorites).toEqual(['1.txt', '2.txt', '3.txt']);

    await press(page, 'Move');
    await page.getByLabel('To').selectOption('Archive');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).press('Enter');
    await expectTiles(page, 'Assets', ['4.txt']);
    expect(await namesIn(ada.api, archive.id)).toEqual(['1.txt', '2.txt', '3.txt']);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expectTiles(page, 'Assets', ['1.txt', '2.txt', '3.txt', '4.txt']);
    expect(await namesIn(ada.api, archive.id)).toEqual([]);

    await page.getByLabel('Select 2.txt').focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Select 4.txt').focus();
    await page.keyboard.press('Space');
    await press(page, 'Delete');
    await expectTiles(page, 'Assets', ['1.txt', '3.txt']);
    await page.getByText('2 assets are in the bin.').waitFor();
    expect(await namesIn(ada.api, id)).toEqual(['1.txt', '3.txt']);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expectTiles(page, 'Assets', ['1.txt', '2.txt', '3.txt', '4.txt']);
    expect(await namesIn(ada.api, id)).toHaveLength(4);
  });

  test('a mark that the service refuses is taken back, and said', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await shelf(ada.api, 'Desk', ['only.txt']);
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    visitor.expectComplaint(/status of 403/);
    await visitor.goto(`/collections/${id}`);
    await page.route('**/favorite', (route) =>
      route.fulfill({
        status: 403,
        json: { message: 'No', code: 'permission_denied', requestId: 'test' },
      }),
    );
    const star = page.getByRole('button', { name: 'Favorite: only.txt' });
    await star.click();
    await page.getByText('Your role in this organization does not allow that.').waitFor();
    expect(await star.getAttribute('aria-pressed')).toBe('false');
  });

  test('what another does is seen at once', async () => {
    const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
    const organizationId = await newTeam(stack, [ada, ben]);
    const options = { organizationId };
    const { id } = await ada.api.collections.create({ body: { title: 'Shared' } }, options);
    await using visitor = await visit({ browser, stack }, { as: ben, organizationId });
    const { page } = visitor;
    await visitor.goto(`/collections/${id}`);
    await page.getByRole('heading', { name: 'Drop files here' }).waitFor();
    const file = new Blob(['hello'], { type: 'text/plain' });
    await upload(ada.api, file, { collectionId: id, fileName: 'news.txt', organizationId }).done;
    await expectTiles(page, 'Assets', ['news.txt']);
    await ada.api.collections.rename({ params: { id }, body: { title: 'Renamed' } }, options);
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    // Somebody else's: a member may look and download, not change.
    await page.getByRole('button', { name: 'More actions for news.txt' }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Download']);
  });
});

/** Activates a button of the selection without a pointer. */
async function press(page: Page, name: string): Promise<void> {
  await page
    .getByRole('toolbar', { name: 'Selected assets' })
    .getByRole('button', { name, exact: true })
    .press('Enter');
}

describe('an asset', () => {
  async function withAsset(
    file: { name: string; type: string; content: string | Blob },
    firstName = 'Ada',
  ): Promise<{ account: Account; asset: Asset }> {
    const account = await newAccount(stack, firstName);
    const { id: collectionId } = await shelf(account.api, 'Desk', []);
    return { account, asset: await put(account.api, { ...file, collectionId }) };
  }

  test('a picture is shown with its details', async () => {
    const { account, asset } = await withAsset({
      name: 'sky.jpg',
      type: 'image/jpeg',
      content: await openAsBlob(picture),
    });
    await using visitor = await visit({ browser, stack }, { as: account, colorScheme: 'dark' });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    const image = page.getByRole('img', { name: 'Preview of sky.jpg' });
    await expectSoon(() =>
      image.evaluate((element: HTMLImageElement) => element.naturalWidth),
    ).toBe(1280);
    await page.getByText('image/jpeg').waitFor();
    await expectAccessible(page);
  });

  test('a text is shown as text, whatever markup it has', async () => {
    const content = '<script>document.title = "run"</script><b>bold</b>';
    const { account, asset } = await withAsset({ name: 'page.html', type: 'text/html', content });
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    const preview = page.getByRole('region', { name: 'Preview of page.html' });
    await expectSoon(() => preview.textContent({ timeout: 10_000 })).toBe(content);
    expect(await page.title()).toBe('page.html · Atelier');
    await expectAccessible(page);
  });

  test.each([
    { name: 'song.mp3', type: 'audio/mpeg', element: 'audio' },
    { name: 'film.mp4', type: 'video/mp4', element: 'video' },
  ])('a broken $element says so', async ({ name, type, element }) => {
    const { account, asset } = await withAsset({ name, type, content: 'not a recording' });
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    await page.getByText('The preview could not be shown').waitFor();
    expect(await page.locator(element).count()).toBe(0);
  });

  test('a PDF is opened on a page of its own; what has no preview says so', async () => {
    const { account, asset } = await withAsset({
      name: 'paper.pdf',
      type: 'application/pdf',
      content: '%PDF-1.4\n',
    });
    const { collectionId } = asset;
    const zip = { name: 'all.zip', type: 'application/zip', content: 'PK', collectionId };
    const other = await put(account.api, zip);
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}`);
    const link = page.getByRole('link', { name: 'Open the PDF in a new tab' });
    const answer = await fetch((await link.getAttribute('href')) ?? '');
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toMatch(/^inline/);
    await visitor.goto(`/assets/${other.id}`);
    await page.getByText('There is no preview for this type of file').waitFor();
    await expectAccessible(page);
  });

  test('it is renamed, moved, marked, downloaded, deleted and taken back', async () => {
    const { account, asset } = await withAsset({
      name: 'draft.txt',
      type: 'text/plain',
      content: 'the words',
    });
    const { api } = account;
    const archive = await shelf(api, 'Archive', []);
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
    const stored = await api.assets.get({ params: { id: asset.id } });
    expect(stored).toMatchObject({
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
    await page.getByText('“final.txt” is in the bin.').waitFor();
    expect(await namesIn(api, archive.id)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expectTiles(page, 'Assets', ['final.txt']);
  });

  test('versions are uploaded, downloaded and restored', async () => {
    const { account, asset } = await withAsset({
      name: 'draft.txt',
      type: 'text/plain',
      content: 'first words',
    });
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    await visitor.goto(`/assets/${asset.id}?tab=versions`);
    const preview = page.getByRole('region', { name: 'Preview of draft.txt' });
    await expectSoon(() => preview.textContent()).toBe('first words');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload a new version' }).click();
    const buffer = Buffer.from('second words');
    await (await chooser).setFiles({ name: 'draft.txt', mimeType: 'text/plain', buffer });
    await page.getByText('Version 2').waitFor();
    await expectSoon(() => preview.textContent()).toBe('second words');
    await expectAccessible(page);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download version 1' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toBe('first words');

    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Version 1 is current again, as version 3.').waitFor();
    await page.getByText('Same content as version 1').waitFor();
    await expectSoon(() => preview.textContent()).toBe('first words');
    const stored = await account.api.assets.get({ params: { id: asset.id } });
    expect(stored.currentVersion).toBe(3);
  });

  test('its public link is copied, works for anybody, and ends when it is switched off', async () => {
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
    await page.getByText('Copied to the clipboard.').waitFor();
    const address = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(address).toBe(asset.assetShortUrl);
    expect(await (await fetch(address)).text()).toBe('for all');

    const toggle = page.getByRole('switch', { name: 'Public link' });
    await toggle.press('Space');
    await page.getByText('Only members of this organization can open this file.').waitFor();
    expect(await page.getByLabel('Public address').count()).toBe(0);
    await expectSoon(async () => (await fetch(address)).status).toBe(404);
    await toggle.press('Space');
    await expectSoon(async () => (await fetch(address)).status).toBe(200);
  });

  test('it is published to a team, which gets an asset of its own', async () => {
    const { account, asset } = await withAsset({
      name: 'plan.txt',
      type: 'text/plain',
      content: 'a plan',
    });
    const organizationId = await newTeam(stack, [account], 'Quay Team');
    await using visitor = await visit({ browser, stack }, { as: account });
    const { page } = visitor;
    visitor.expectComplaint(/status of 409/);
    await visitor.goto(`/assets/${asset.id}`);
    await choose(page, /^More actions/, 'Publish to a team…');
    await page.getByLabel('Team').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('“plan.txt” is published to Quay Team.').waitFor();
    const published = () =>
      account.api.assets.list({ query: { scope: 'organization' } }, { organizationId });
    expect((await published()).items).toEqual([
      expect.objectContaining({ assetName: 'plan.txt', publishedFromAssetId: asset.id }),
    ]);

    await choose(page, /^More actions/, 'Publish to a team…');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('This asset has been published already.').waitFor();
    expect((await published()).items).toHaveLength(1);
  });

  test('one of another organization, and an address that is none, lead nowhere', async () => {
    const { asset } = await withAsset({ name: 'a.txt', type: 'text/plain', content: 'a' });
    const eve = await newAccount(stack, 'Eve');
    await using visitor = await visit({ browser, stack }, { as: eve });
    const { page } = visitor;
    visitor.expectComplaint(/status of 40[04]/);
    for (const path of [`/assets/${asset.id}`, `/collections/${asset.collectionId}`, '/assets/x']) {
      await visitor.goto(path);
      await page.getByText('There is nothing here').waitFor();
      expect(await page.getByText('a.txt').count()).toBe(0);
    }
  });
});

test('favorites show what is marked, until the mark is taken away', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/favorites');
  await page.getByRole('heading', { name: 'No favorites yet' }).waitFor();
  await expectAccessible(page);

  const { id } = await shelf(ada.api, 'Best of', ['good.txt', 'bad.txt']);
  const [asset] = (await ada.api.assets.list({ query: { q: 'good' } })).items;
  const body = { isFavorite: true };
  await ada.api.collections.favorite({ params: { id }, body });
  await ada.api.assets.favorite({ params: { id: asset?.id ?? '' }, body });
  await page.getByRole('link', { name: 'Best of' }).waitFor();
  await page.getByRole('link', { name: 'good.txt' }).waitFor();
  expect(await page.getByRole('link', { name: 'bad.txt' }).count()).toBe(0);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Favorite: good.txt' }).click();
  await page.getByRole('link', { name: 'good.txt' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Favorite: Best of' }).click();
  await page.getByRole('heading', { name: 'No favorites yet' }).waitFor();
  const left = async () => (await ada.api.assets.list({ query: { favorite: true } })).items;
  await expectSoon(left).toEqual([]);
});

test('the bin gives back assets and collections, and says until when', async () => {
  const ada = await newAccount(stack, 'Ada');
  const desk = await shelf(ada.api, 'Desk', ['lost.txt', 'kept.txt']);
  const old = await shelf(ada.api, 'Old stuff', ['inside.txt']);
  const [lost] = (await ada.api.assets.list({ query: { q: 'lost' } })).items;
  await ada.api.assets.remove({ params: { id: lost?.id ?? '' } });
  await ada.api.collections.remove({ params: { id: old.id } });
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/bin');
  await page.getByRole('row', { name: /lost\.txt.*in 4 weeks/ }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore lost.txt' }).click();
  await page.getByText('“lost.txt” is back.').waitFor();
  expect(await namesIn(ada.api, desk.id)).toEqual(['kept.txt', 'lost.txt']);

  await page.getByRole('tab', { name: 'Collections' }).click();
  await page.getByText('With 1 asset').waitFor();
  await page.getByRole('button', { name: 'Restore Old stuff' }).click();
  await page.getByText('No deleted collections').waitFor();
  expect(await namesIn(ada.api, old.id)).toEqual(['inside.txt']);
});

test('a viewer sees and downloads, and is offered no change', async () => {
  const [ada, vic] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Vic')];
  const organizationId = await newTeam(stack, [ada, vic]);
  const members = await ada.api.organizations.listMembers({ params: { id: organizationId } });
  const memberId = members.items.find(({ user }) => user.email === vic.email)?.id ?? '';
  await ada.api.organizations.updateMember({
    params: { id: organizationId, memberId },
    body: { role: 'VIEWER' },
  });
  const options = { organizationId };
  const { id } = await ada.api.collections.create({ body: { title: 'Shared' } }, options);
  const empty = await ada.api.collections.create({ body: { title: 'Empty' } }, options);
  const file = new Blob(['words'], { type: 'text/plain' });
  const target = { collectionId: id, fileName: 'read.txt', organizationId };
  const asset = await upload(ada.api, file, target).done;

  await using visitor = await visit({ browser, stack }, { as: vic, organizationId });
  const { page } = visitor;
  await visitor.goto('/collections');
  await expectTiles(page, 'Collections', ['Empty', 'Shared']);
  expect(await page.getByRole('button', { name: /^More actions|New collection/ }).count()).toBe(0);
  await visitor.goto(`/collections/${empty.id}`);
  await page.getByRole('heading', { name: 'This collection is empty' }).waitFor();
  expect(await page.getByRole('button', { name: /Upload|Choose/ }).count()).toBe(0);
  await visitor.goto(`/assets/${asset.id}?tab=versions`);
  await page.getByText('Version 1').waitFor();
  expect(await page.getByRole('button', { name: /Upload a new version|Restore/ }).count()).toBe(0);
  await page.getByRole('button', { name: /^More actions/ }).click();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Download']);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByText('Anyone with the link').waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
  await expectAccessible(page);
});
