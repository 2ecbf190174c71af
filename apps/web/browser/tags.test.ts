// @module-tag slow

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectEventually, expectTiles, newCollection, uploadFile } from './testing/library.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

test('a file is described and tagged, and the collection is narrowed to its tag', async () => {
  const account = await newAccount(stack);
  const { api } = account;
  const { id: collectionId } = await newCollection(api, 'Desk', ['one.txt', 'two.txt']);
  const { items } = await api.assets.listInCollection({ params: { collectionId } });
  const [one, two] = ['one.txt', 'two.txt'].map((name) =>
    items.find(({ assetName }) => assetName === name),
  );
  await api.assets.update({ params: { id: two?.id ?? '' }, body: { tags: ['Print'] } });
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto(`/assets/${one?.id}`);
  await page.getByRole('button', { name: 'Add a description or tags' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Description').fill('For the fair\nin Cologne');
  const field = dialog.getByRole('combobox', { name: 'Tags' });
  await field.fill('Logo');
  await page.keyboard.press('Enter');
  await field.fill('print, logo');
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const about = page.getByRole('region', { name: 'About this file' });
  await about.getByText('For the fair').waitFor();
  expect(await about.getByRole('listitem').allTextContents()).toEqual(['Logo', 'print']);
  const stored = await api.assets.get({ params: { id: one?.id ?? '' } });
  expect(stored).toMatchObject({
    description: 'For the fair\nin Cologne',
    tags: ['Logo', 'print'],
  });

  await about.getByRole('link', { name: 'Logo' }).click();
  await expectTiles(page, 'Assets', ['one.txt']);
  expect(new URL(page.url()).searchParams.get('tags')).toBe('Logo');
  await page.getByRole('button', { name: 'Remove the tag Logo' }).click();
  await expectEventually(() =>
    page.getByRole('list', { name: 'Assets' }).getByRole('link').count(),
  ).toBe(2);
  await page.getByLabel('Tags', { exact: true }).selectOption('print');
  await page.getByRole('button', { name: 'Remove the tag print' }).waitFor();
  await expectAccessibleInBoth(page);

  await visitor.goto(`/assets/${one?.id}`);
  await about.getByRole('button', { name: 'Edit description and tags' }).click();
  await dialog.getByRole('button', { name: 'Remove the tag Logo' }).click();
  await dialog.getByLabel('Description').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await api.assets.get({ params: { id: one?.id ?? '' } })).toMatchObject({
    description: null,
    tags: ['print'],
  });
});

test('tags that were added while the description was edited stay', async () => {
  const account = await newAccount(stack);
  const { api } = account;
  const { id: collectionId } = await newCollection(api, 'Desk', ['one.txt']);
  const { items } = await api.assets.listInCollection({ params: { collectionId } });
  const params = { id: items[0]?.id ?? '' };
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto(`/assets/${params.id}`);
  await page.getByRole('button', { name: 'Add a description or tags' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Description').fill('For the fair');
  await api.assets.update({ params, body: { tags: ['Print'] } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await api.assets.get({ params })).toMatchObject({
    description: 'For the fair',
    tags: ['Print'],
  });
});

test('those who may not change a file see its description and tags only', async () => {
  const [owner, viewer] = [await newAccount(stack), await newAccount(stack, 'Vera')];
  const organizationId = await newTeam(stack, [owner, viewer]);
  const options = { organizationId };
  const { id: collectionId } = await owner.api.collections.create(
    { body: { title: 'Desk' } },
    options,
  );
  const file = { name: 'a.txt', type: 'text/plain', content: 'x', collectionId, organizationId };
  const { id } = await uploadFile(owner.api, file);
  const body = { description: 'Final', tags: ['Logo'] };
  await owner.api.assets.update({ params: { id }, body }, options);
  await using visitor = await visit({ browser, stack }, { as: viewer, organizationId });
  const { page } = visitor;
  await visitor.goto(`/assets/${id}`);
  const about = page.getByRole('region', { name: 'About this file' });
  await about.getByText('Final').waitFor();
  expect(await about.getByRole('button').count()).toBe(0);
});
