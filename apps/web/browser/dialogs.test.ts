// @module-tag slow

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { expectFocusIn } from './testing/keyboard.ts';
import { choose, newCollection } from './testing/library.ts';
import { paste, pasteAtOnce } from './testing/paste.ts';
import { visit } from './testing/visitor.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const failure = {
  success: false,
  code: 'internal_error',
  message: 'No',
  requestId: 'req-1',
  errors: [],
};

/** Fails requests until the returned function is called. */
async function failRequests(page: Page, path: RegExp): Promise<() => Promise<void>> {
  await page.route(path, (route) => route.fulfill({ status: 500, json: failure }));
  return () => page.unroute(path);
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

test.each([
  {
    dialog: 'empty the bin',
    path: () => '/bin',
    failing: /\/api\/collections\/bin/,
    open: (page: Page) => press(page, 'Empty bin…'),
    shown: 'There is nothing in the bin.',
  },
  {
    dialog: 'move assets',
    path: (assetId: string) => `/assets/${assetId}`,
    failing: /\/api\/collections\?/,
    open: (page: Page) => choose(page, /^More actions/, 'Move…'),
    shown: 'There is no other collection.',
  },
  {
    dialog: 'leave the team',
    path: () => '/settings/organization',
    failing: /\/members\?/,
    open: (page: Page) => press(page, 'Leave the team'),
    shown: 'You lose access immediately.',
  },
  {
    dialog: 'upload files',
    path: () => '/',
    failing: /\/api\/collections\?/,
    open: paste,
    shown: 'New collection…',
  },
])('the dialog “$dialog” says that it couldn’t load, and tries again', async (one) => {
  const account = await newAccount(stack);
  const { api } = account;
  const organizationId = await newTeam(stack, [account]);
  const desk = await newCollection(api, 'Desk', ['one.txt']);
  const { items } = await api.assets.listInCollection({ params: { collectionId: desk.id } });
  await using visitor = await visit(
    { browser, stack },
    { as: account, organizationId: one.dialog === 'leave the team' ? organizationId : null },
  );
  visitor.allowError(/status of 500/);
  const { page } = visitor;
  await visitor.goto(one.path(items[0]?.id ?? ''));
  await waitForScripts(page);
  const recover = await failRequests(page, one.failing);
  await one.open(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This couldn’t be loaded').waitFor();
  await expectAccessible(page);
  await recover();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText(one.shown).waitFor({ state: 'attached' });
});

test('every collection can be chosen, however many pages the list has', async () => {
  const account = await newAccount(stack);
  const { api } = account;
  for (const title of ['Attic', 'Box', 'Cellar']) await api.collections.create({ body: { title } });
  await using visitor = await visit({ browser, stack }, { as: account, organizationId: null });
  const { page } = visitor;
  await page.route(/\/api\/collections\?/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
  );
  await visitor.goto('/');
  await waitForScripts(page);
  await paste(page);
  const options = page.getByLabel('Collection').getByRole('option');
  await page.getByRole('dialog').getByLabel('Collection').waitFor();
  expect(await options.allTextContents()).toEqual(['Cellar', 'Box', 'Attic', 'New collection…']);
});

test('files that are pasted while a collection is being chosen are uploaded with the earlier ones', async () => {
  const account = await newAccount(stack);
  await newCollection(account.api, 'Desk', []);
  await using visitor = await visit({ browser, stack }, { as: account, organizationId: null });
  const { page } = visitor;
  await visitor.goto('/');
  await waitForScripts(page);
  await paste(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 file', { exact: true }).waitFor();
  await paste(page);
  await dialog.getByText('2 files', { exact: true }).waitFor();
  expect(await dialog.getByLabel('Collection').count()).toBe(1);
});

test.each([
  { role: 'MEMBER', shown: 'Where should they go?' },
  { role: 'VIEWER', shown: 'Viewers can’t upload files.' },
] as const)(
  'files of a $role that are pasted before the role is known wait until it is',
  async ({ role, shown }) => {
    const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
    const organizationId = await newTeam(stack, [ada, ben]);
    const { items } = await ada.api.organizations.listMembers({ params: { id: organizationId } });
    const memberId = items.find(({ user }) => user.email === ben.email)?.id ?? '';
    const params = { id: organizationId, memberId };
    await ada.api.organizations.updateMember({ params, body: { role } });
    await using visitor = await visit({ browser, stack }, { as: ben, organizationId });
    const { page } = visitor;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/organizations\?/, async (route) => {
      await released;
      await route.continue();
    });
    await visitor.goto('/collections');
    await waitForScripts(page);
    await pasteAtOnce(page);
    expect(await page.getByText(shown).count()).toBe(0);
    release();
    await page.getByText(shown).waitFor();
    await paste(page);
    if (role === 'MEMBER') await page.getByText('2 files', { exact: true }).waitFor();
  },
);

test('text with a picture that is pasted into a text field is not uploaded', async () => {
  const account = await newAccount(stack);
  const { id } = await newCollection(account.api, 'Desk', []);
  await using visitor = await visit({ browser, stack }, { as: account, organizationId: null });
  const { page } = visitor;
  await visitor.goto(`/collections/${id}`);
  await page.getByRole('heading', { level: 1, name: 'Desk' }).waitFor();
  await waitForScripts(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'one\ttwo');
    clipboardData.items.add(new File(['cells'], 'cells.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await page.keyboard.press('Escape');
  await paste(page);
  const tray = page.getByRole('region', { name: 'Uploads' });
  await tray.getByRole('link', { name: 'Open pasted.txt' }).waitFor();
  expect(await tray.getByText('cells.png').count()).toBe(0);
});

test('a notification is shown and can be dismissed in the dialog that is open', async () => {
  const account = await newAccount(stack);
  await newCollection(account.api, 'Desk', []);
  await using visitor = await visit({ browser, stack }, { as: account, organizationId: null });
  const { page } = visitor;
  await visitor.goto('/collections');
  await choose(page, 'More actions for Desk', 'Share…');
  const notices = page.getByRole('dialog').getByRole('log');
  await notices.waitFor({ state: 'attached' });
  await press(page, 'New link');
  await press(page, 'Create link');
  // It stays while it is pointed at.
  await notices.getByText('Link created.').hover();
  await expectAccessible(page);
  await notices.getByRole('button', { name: 'Dismiss' }).click();
  await notices.getByText('Link created.').waitFor({ state: 'detached' });
});

test('a menu has the focus back after the dialog of one of its items', async () => {
  const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
  const organizationId = await newTeam(stack, [ada, ben]);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/settings/members');
  const menu = page.getByRole('button', { name: `Actions for ${ben.displayName}` });
  const dialog = page.getByRole('dialog');
  for (const close of ['Escape', 'Cancel']) {
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Suspend' }).press('Enter');
    await dialog.waitFor();
    if (close === 'Escape') await page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: close }).click();
    await dialog.waitFor({ state: 'detached' });
    await expectFocusIn(menu);
  }
});

test('Escape and a press beside a dialog close it, but not while it has what was typed', async () => {
  const ada = await newAccount(stack);
  const organizationId = await newTeam(stack, [ada]);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/settings/members');
  const dialog = page.getByRole('dialog', { name: 'Invite people' });
  await press(page, 'Invite people');
  await dialog.waitFor();
  await page.mouse.click(5, 5, { button: 'right' });
  expect(await dialog.count()).toBe(1);
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: 'detached' });
  await press(page, 'Invite people');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await press(page, 'Invite people');
  const field = dialog.getByLabel('Email addresses');
  await field.fill('grace@example.com');
  await page.mouse.click(5, 5);
  expect(await field.inputValue()).toBe('grace@example.com');
  await pressEscapeTwice(page);
  expect(await field.inputValue()).toBe('grace@example.com');
  // With the focus on nothing in the dialog.
  await dialog.getByRole('heading').click();
  await pressEscapeTwice(page);
  expect(await field.inputValue()).toBe('grace@example.com');
  await field.fill('');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await press(page, 'Invite people');
  await field.fill('grace@example.com');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
});

/** Browsers treat the second press in a row differently. */
async function pressEscapeTwice(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

test('Escape closes neither a dialog with what was typed nor the panel below it', async () => {
  const ada = await newAccount(stack);
  const project = await ada.api.projects.create({ body: { name: 'Harbour' } });
  const params = { projectId: project.id };
  const task = await ada.api.tasks.create({ params, body: { title: 'Paint the boat' } });
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId: null });
  const { page } = visitor;
  await visitor.goto(`/projects/${project.id}?task=${task.id}`);
  await waitForScripts(page);
  const panel = page.getByRole('dialog', { name: /-1$/ });
  await panel.getByRole('button', { name: 'Choose labels' }).click();
  await press(page, 'Manage labels');
  const dialog = page.getByRole('dialog', { name: 'Labels', exact: true });
  const field = dialog.getByRole('textbox', { name: 'New label' });
  await field.fill('Urgent');
  await pressEscapeTwice(page);
  expect(await field.inputValue()).toBe('Urgent');
  await field.press('Enter');
  await dialog.getByRole('textbox', { name: 'Name of “Urgent”' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});
