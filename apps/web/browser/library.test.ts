import { openAsBlob } from 'node:fs';
import { upload } from '@atelier/client/upload';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
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

describe('collections', () => {
  test('creates, renames, stars, deletes and restores a collection', async () => {
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
    await expectEventually(stored).toEqual([
      expect.objectContaining({ title: 'Big posters', isFavorite: true }),
    ]);

    await choose(page, 'More actions for this collection', 'Delete');
    await page.getByRole('heading', { name: 'No collections yet' }).waitFor();
    await expectEventually(stored).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectTiles(page, 'Collections', ['Big posters']);
    expect(await stored()).toHaveLength(1);
  });

  test('collections can be searched, sorted and filtered, and the URL keeps it', async () => {
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
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expectTiles(page, 'Collections', ['Ben’s', 'Beta two', 'Beta one', 'Alpha']);
    await page.getByLabel('Mine').check();
    await expectTiles(page, 'Collections', ['Ben’s']);
  });

  test('a total at which counting stopped has a plus', async () => {
    const ada = await newAccount(stack, 'Ada');
    await ada.api.collections.create({ body: { title: 'Alpha' } });
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await page.route('**/api/collections?*', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const counted = { total: 10_000, isTotalLowerBound: true, hasNext: true, nextCursor: 'next' };
      Object.assign(json.data.pagination, counted);
      return route.fulfill({ response, json });
    });
    await visitor.goto('/collections');
    const total = page.getByText('1 of 10,000+', { exact: true });
    await expectEventually(() => total.count()).toBe(1);
  });

  test('letters that are typed while a search goes to the address stay', async () => {
    const ada = await newAccount(stack, 'Ada');
    for (const title of ['Alpha', 'Beta']) await ada.api.collections.create({ body: { title } });
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/collections');
    const field = page.getByLabel('Search collections');
    await field.waitFor();
    // A key in between, which no timing could hit.
    await page.evaluate(`for (const name of ['pushState', 'replaceState']) {
      const change = history[name].bind(history);
      history[name] = (state, title, url) => {
        change(state, title, url);
        if (!/q=b$/.test(url)) return;
        const field = document.activeElement;
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'bet');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
    }`);
    await field.fill('b');
    await page.waitForURL(/q=bet$/);
    await expectTiles(page, 'Collections', ['Beta']);
    expect(await field.inputValue()).toBe('bet');
  });
});

describe('the assets of a collection', () => {
  test('uploads files that are dropped or chosen', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await newCollection(ada.api, 'Inbox', []);
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto(`/collections/${id}`);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await chooser).setFiles(picture);
    await expectTiles(page, 'Assets', ['evening-ridge.jpg']);
    // The thumbnail is created afterwards.
    await page.getByRole('list', { name: 'Assets' }).locator('img').waitFor();

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

  test('assets can be searched, filtered and sorted, as cards and as a table', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await newCollection(ada.api, 'Mixed', ['b.txt', 'c.txt', 'a.txt']);
    await uploadFile(ada.api, {
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
    await expectEventually(rows).toEqual(['a.txt', 'c.txt', 'b.txt']);
    expect(await page.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    await page.getByRole('button', { name: 'Size' }).click();
    await expectEventually(rows).toEqual(['b.txt', 'c.txt', 'a.txt']);
    await expectAccessible(page);
    await page.reload();
    await expectEventually(rows).toEqual(['b.txt', 'c.txt', 'a.txt']);
  });

  test('stars, moves and deletes several assets by keyboard, with undo', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await newCollection(ada.api, 'Desk', ['1.txt', '2.txt', '3.txt', '4.txt']);
    const archive = await newCollection(ada.api, 'Archive', []);
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
    await expectEventually(favorites).toEqual(['1.txt', '2.txt', '3.txt']);

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
    await page.getByText('Moved 2 assets to the bin.').waitFor();
    expect(await namesIn(ada.api, id)).toEqual(['1.txt', '3.txt']);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expectTiles(page, 'Assets', ['1.txt', '2.txt', '3.txt', '4.txt']);
    expect(await namesIn(ada.api, id)).toHaveLength(4);
  });

  test('rolls back a rejected favorite and shows the error', async () => {
    const ada = await newAccount(stack, 'Ada');
    const { id } = await newCollection(ada.api, 'Desk', ['only.txt']);
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    visitor.allowError(/status of 403/);
    await visitor.goto(`/collections/${id}`);
    const name = 'Favorite: only.txt';
    await page.route('**/favorite', async (route) => {
      // Shown before the response arrives.
      await page.getByRole('button', { name, pressed: true }).waitFor();
      const json = { message: 'No', code: 'permission_denied', requestId: 'test' };
      await route.fulfill({ status: 403, json });
    });
    const star = page.getByRole('button', { name });
    await star.click();
    await page.getByText('Your role in this organization doesn’t allow this.').waitFor();
    await expectEventually(() => star.getAttribute('aria-pressed')).toBe('false');
  });

  test('shows changes of others live', async () => {
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
    // A member may download and share another member's asset but not change it.
    await page.getByRole('button', { name: 'More actions for news.txt' }).click();
    await expectEventually(() => page.getByRole('menuitem').allTextContents()).toEqual([
      'Download',
      'Share…',
    ]);
  });
});

/** Presses a button of the selection toolbar by keyboard. */
async function press(page: Page, name: string): Promise<void> {
  await page
    .getByRole('toolbar', { name: 'Selected assets' })
    .getByRole('button', { name, exact: true })
    .press('Enter');
}

test('favorites show starred items until the star is removed', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/favorites');
  await page.getByRole('heading', { name: 'No favorites yet' }).waitFor();
  await expectAccessible(page);

  const { id } = await newCollection(ada.api, 'Best of', ['good.txt', 'bad.txt']);
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
  const favorites = async () => (await ada.api.assets.list({ query: { favorite: true } })).items;
  await expectEventually(favorites).toEqual([]);
});

test('favorites say that one of their lists could not be loaded, beside the other', async () => {
  const ada = await newAccount(stack, 'Ada');
  const { id } = await newCollection(ada.api, 'Best of', ['good.txt']);
  const [asset] = (await ada.api.assets.list({ query: { q: 'good' } })).items;
  const body = { isFavorite: true };
  await ada.api.collections.favorite({ params: { id }, body });
  await ada.api.assets.favorite({ params: { id: asset?.id ?? '' }, body });
  await using visitor = await visit({ browser, stack }, { as: ada });
  visitor.allowError(/status of 500/);
  const { page } = visitor;
  const collections = /\/api\/collections\?.*favorite=true/;
  await page.route(collections, (route) => route.fulfill({ status: 500, body: '' }));
  await visitor.goto('/favorites');
  await page.getByRole('link', { name: 'good.txt' }).waitFor();
  const part = page.getByRole('region', { name: 'Collections' });
  await part.getByText('This couldn’t be loaded').waitFor();
  await expectAccessible(page);
  const retried = page.waitForRequest(collections);
  await part.getByRole('button', { name: 'Try again' }).click();
  await retried;
  await page.unroute(collections);
  await page.reload();
  await part.getByRole('link', { name: 'Best of' }).waitFor();
});

test('the bin restores assets and collections and shows when they expire', async () => {
  const ada = await newAccount(stack, 'Ada');
  const desk = await newCollection(ada.api, 'Desk', ['lost.txt', 'kept.txt']);
  const old = await newCollection(ada.api, 'Old stuff', ['inside.txt']);
  const [lost] = (await ada.api.assets.list({ query: { q: 'lost' } })).items;
  await ada.api.assets.remove({ params: { id: lost?.id ?? '' } });
  await ada.api.collections.remove({ params: { id: old.id } });
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/bin');
  await page.getByRole('row', { name: /lost\.txt.*in 4 weeks/ }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore lost.txt' }).click();
  await page.getByText('Restored “lost.txt”.').waitFor();
  expect(await namesIn(ada.api, desk.id)).toEqual(['kept.txt', 'lost.txt']);

  await page.getByRole('tab', { name: 'Collections' }).click();
  await page.getByText('Contains 1 asset').waitFor();
  await page.getByRole('button', { name: 'Restore Old stuff' }).click();
  await page.getByText('No deleted collections').waitFor();
  expect(await namesIn(ada.api, old.id)).toEqual(['inside.txt']);
});

test('a viewer can view and download, and sees no actions that change anything', async () => {
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
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Sign out' }).waitFor();
  expect(await page.getByRole('option', { name: /^Upload/ }).count()).toBe(0);
  await visitor.goto(`/assets/${asset.id}?tab=versions`);
  await page.getByText('Version 1').waitFor();
  expect(await page.getByRole('button', { name: /Upload a new version|Restore/ }).count()).toBe(0);
  await page.getByRole('button', { name: /^More actions/ }).click();
  await expectEventually(() => page.getByRole('menuitem').allTextContents()).toEqual(['Download']);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByText('Only members of this organization can open this file.').waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
  await expectAccessible(page);
});
