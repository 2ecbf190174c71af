import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { uploadFile } from './testing/library.ts';
import { heading } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

test('single keys go to pages, create, search and explain themselves, until they are switched off', async () => {
  const ada = await newAccount(stack, 'Ada');
  const { id } = await ada.api.projects.create({ body: { name: 'Launch' } });
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/');
  await heading(page, /^Good /);
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  // The keys are loaded after the page.
  await expect
    .poll(async () => {
      await page.keyboard.press('?');
      return help.count();
    })
    .toBe(1);
  await help.getByText('My tasks').waitFor();
  await expectAccessible(page);
  // They do nothing in a dialog.
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await help.waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });

  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await heading(page, 'Projects');
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').pressSequentially('gc');
  await page.keyboard.press('Escape');
  await heading(page, 'Projects');

  await visitor.goto(`/projects/${id}`);
  await heading(page, 'Launch');
  const field = page.getByRole('textbox', { name: /^Title of the new task/ });
  await expect
    .poll(async () => {
      await page.keyboard.press('c');
      return field.count();
    })
    .toBe(1);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await palette.getByRole('combobox').fill('shortcuts');
  await page.keyboard.press('Enter');
  await help.getByRole('switch', { name: 'Single keys' }).click();
  await page.keyboard.press('Escape');
  await page.reload();
  await heading(page, 'Launch');
  await page.waitForFunction(() => performance.getEntriesByName('atelier:loaded').length > 0);
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  expect([await help.count(), new URL(page.url()).pathname]).toEqual([0, `/projects/${id}`]);
});

test('single keys that are switched off do nothing in lists and viewers, where keys with a name still work', async () => {
  const { api, ...ada } = await newAccount(stack, 'Ada');
  const { id: projectId } = await api.projects.create({ body: { name: 'Launch' } });
  await api.tasks.create({ params: { projectId }, body: { title: 'Caulk' } });
  const { id: collectionId } = await api.collections.create({ body: { title: 'Desk' } });
  const file = { type: 'text/plain', content: 'words', collectionId };
  const { id } = await uploadFile(api, { ...file, name: 'a.txt' });
  await uploadFile(api, { ...file, name: 'b.txt' });
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await page.addInitScript(`localStorage.setItem('atelier_single_keys', 'off')`);
  await visitor.goto(`/projects/${projectId}?view=list`);
  await page.getByRole('link', { name: 'Caulk' }).waitFor();
  await waitForScripts(page);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  expect(await page.getByRole('checkbox', { name: 'Select “Caulk”' }).isChecked()).toBe(false);

  await visitor.goto(`/assets/${id}`);
  await heading(page, 'a.txt');
  await page.getByRole('link', { name: 'b.txt' }).waitFor();
  await page.keyboard.press('f');
  // The newest file is the first one.
  await page.keyboard.press('ArrowLeft');
  await heading(page, 'b.txt');
  expect(await page.getByRole('dialog').count()).toBe(0);
});
