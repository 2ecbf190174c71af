// @module-tag slow

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectEventually, newCollection } from './testing/library.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

test('one file is deleted now, then the bin is emptied', async () => {
  const account = await newAccount(stack);
  const { api } = account;
  const desk = await newCollection(api, 'Desk', ['one.txt', 'two.txt', 'three.txt']);
  const box = await newCollection(api, 'Box', ['four.txt']);
  const { items } = await api.assets.listInCollection({ params: { collectionId: desk.id } });
  for (const { id } of items) await api.assets.remove({ params: { id } });
  await api.collections.remove({ params: { id: box.id } });
  await using visitor = await visit({ browser, stack }, { as: account });
  const { page } = visitor;
  await visitor.goto('/bin');
  await page.getByRole('button', { name: 'Delete two.txt permanently' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Delete “two.txt” permanently?' }).waitFor();
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByText('Deleted “two.txt” permanently.').waitFor();
  const total = async () => (await api.assets.bin()).pagination.total;
  expect(await total()).toBe(2);

  await page.getByRole('button', { name: 'Empty bin…' }).click();
  await dialog.getByText('2 assets and 1 collection with their contents').waitFor();
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'Empty bin' }).click();
  await page.getByText('No deleted assets').waitFor();
  expect(await total()).toBe(0);
  await expectEventually(async () => (await api.collections.bin()).pagination.total).toBe(0);
});

test('a viewer can’t empty the bin', async () => {
  const [owner, viewer] = [await newAccount(stack), await newAccount(stack, 'Vera')];
  const organizationId = await newTeam(stack, [owner, viewer]);
  const { items } = await owner.api.organizations.listMembers({ params: { id: organizationId } });
  const member = items.find(({ role }) => role !== 'OWNER');
  const params = { id: organizationId, memberId: member?.id ?? '' };
  await owner.api.organizations.updateMember({ params, body: { role: 'VIEWER' } });
  await using visitor = await visit({ browser, stack }, { as: viewer, organizationId });
  const { page } = visitor;
  await visitor.goto('/bin');
  await page.getByText('No deleted assets').waitFor();
  expect(await page.getByRole('button', { name: /^Empty/ }).count()).toBe(0);
});
