// @module-tag slow

import { upload } from '@atelier/client/upload';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newTeam } from './testing/accounts.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { newInboxTeam } from './testing/inbox.ts';
import { expectFocusIn, tabTo } from './testing/keyboard.ts';
import { visit } from './testing/visitor.ts';
import { waitForPage, waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** The entry of the shell with its number, which its name says too. */
const bell = (page: Page, name: string): Locator =>
  page.getByRole('link', { name, exact: true }).locator('visible=true');
const rows = (page: Page): Locator =>
  page.getByRole('list', { name: 'Notifications', exact: true }).getByRole('listitem');
const row = (page: Page, text: string): Locator => rows(page).filter({ hasText: text });
const view = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });
const notice = (page: Page): Locator => page.getByRole('log');

/** Waits until the list shows these subjects, in order. */
const expectRows = (page: Page, texts: readonly (string | RegExp)[]) =>
  expect
    .poll(() => rows(page).allTextContents(), { timeout })
    .toEqual(texts.map((text) => expect.stringMatching(text)));

test('a mention arrives live at the bell of two tabs, and is opened and read in both', async () => {
  const inbox = await newInboxTeam(stack);
  const { ada, organizationId } = inbox;
  const task = await inbox.addTask('Write the imprint');
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/collections');
  await waitForPage(page);
  await bell(page, 'Notifications').waitFor();
  const other = await visitor.newTab('/notifications');
  await other.getByText('You’re all caught up').waitFor();
  await waitForScripts(page);
  await waitForScripts(other);

  await inbox.mention(task, 'the address is missing.');
  await bell(page, 'Notifications 1 unread').waitFor({ timeout });
  await bell(other, 'Notifications 1 unread').waitFor({ timeout });
  await expectRows(other, [
    /Grace Tester mentioned you in Write the imprint.*the address is missing/,
  ]);
  await expectAccessibleInBoth(other);

  await other.getByRole('link', { name: /^Unread: Grace Tester mentioned you/ }).click();
  const drawer = other.getByRole('dialog');
  await drawer.getByText('the address is missing.').waitFor({ timeout });
  await bell(page, 'Notifications').waitFor({ timeout });
  expect((await ada.api.notifications.count()).unread).toBe(0);
  await drawer.getByRole('button', { name: 'Close' }).click();
  await bell(other, 'Notifications').click();
  await other.getByRole('link', { name: /^Grace Tester mentioned you/ }).waitFor();

  // Read and unread in the other tab.
  await visitor.goto('/notifications');
  await row(page, 'Write the imprint').hover();
  await page.getByRole('button', { name: 'Mark as unread' }).locator('visible=true').click();
  await bell(other, 'Notifications 1 unread').waitFor({ timeout });
  await other.getByRole('link', { name: /^Unread: Grace/ }).waitFor({ timeout });
});

test('the bell is shown in narrow windows, and large numbers are cut', async () => {
  const { ada, organizationId } = await newInboxTeam(stack);
  await using visitor = await visit(
    { browser, stack },
    { as: ada, organizationId, viewport: { width: 390, height: 844 } },
  );
  const { page } = visitor;
  let unread = 99;
  await page.route('**/api/notifications/count', (route) =>
    route.fulfill({ json: { message: 'Counted', data: { unread, byOrganization: [] } } }),
  );
  await visitor.goto('/');
  await bell(page, 'Notifications 99 unread').waitFor();
  unread = 100;
  await page.reload();
  await bell(page, 'Notifications 99+ unread').waitFor();
  await waitForPage(page);
  await expectAccessible(page);
  await bell(page, 'Notifications 99+ unread').click();
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
});

test('the review of a file is told with its status, and leads to the file', async () => {
  const { ada, grace, organizationId, untilUnread } = await newInboxTeam(stack);
  const options = { organizationId };
  const { id: collectionId } = await grace.api.collections.create(
    { body: { title: 'Pictures' } },
    options,
  );
  const place = { ...options, collectionId, fileName: 'a.txt' };
  const { id } = await upload(ada.api, new Blob(['a'], { type: 'text/plain' }), place).done;
  const review = (status: 'IN_REVIEW' | 'CHANGES_REQUESTED' | 'APPROVED') =>
    grace.api.assets.review({ params: { id }, body: { status } }, options);
  await review('IN_REVIEW');
  await untilUnread(1);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/notifications');
  await expectRows(page, [/Grace Tester wants a review of a\.txt/]);
  await review('CHANGES_REQUESTED');
  await expectRows(page, [/Grace Tester asked for changes to a\.txt.*2 changes/]);
  await review('APPROVED');
  await expectRows(page, [/Grace Tester approved a\.txt.*3 changes/]);
  await page.getByRole('link', { name: /approved a\.txt/ }).click();
  await page.waitForURL(`**/assets/${id}`);
});

test('is worked through by keyboard alone', async () => {
  const inbox = await newInboxTeam(stack);
  const { ada, organizationId } = inbox;
  for (const title of ['One', 'Two', 'Three']) await inbox.assign(await inbox.addTask(title));
  await inbox.untilUnread(3);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
  await visitor.goto('/notifications');
  await expectRows(page, [/Three/, /Two/, /One/]);
  await waitForScripts(page);
  await page.keyboard.press('j');
  expect(await focused()).toContain('Three');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused()).toContain('One');
  await page.keyboard.press('k');
  expect(await focused()).toContain('Two');

  await page.keyboard.press('u');
  await bell(page, 'Notifications 2 unread').waitFor();
  await page.keyboard.press('u');
  await bell(page, 'Notifications 3 unread').waitFor();

  // The focus goes on to the next row.
  await page.keyboard.press('e');
  await expectRows(page, [/Three/, /One/]);
  await expect.poll(focused).toContain('One');
  await bell(page, 'Notifications 2 unread').waitFor();
  await tabTo(page, notice(page).getByRole('button', { name: 'Undo' }));
  await page.keyboard.press('Enter');
  await expectRows(page, [/Three/, /Two/, /One/]);
  await bell(page, 'Notifications 3 unread').waitFor({ timeout });
  await expectFocusIn(notice(page));

  await tabTo(page, page.getByRole('link', { name: /Three/ }), 'Shift+Tab');
  await page.keyboard.press('s');
  await page.getByRole('menuitem', { name: /^Tomorrow/ }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  expect(await focused()).toContain('Two');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor({ timeout });
  await expect.poll(async () => (await ada.api.notifications.count()).unread, { timeout }).toBe(2);
});

test('views and filters show what they say, and say what is missing', async () => {
  const inbox = await newInboxTeam(stack);
  const { ada, grace, organizationId } = inbox;
  await inbox.mention(await inbox.addTask('Imprint'), 'please look.');
  await inbox.assign(await inbox.addTask('Header'));
  const otherId = await newTeam(stack, [ada, grace], 'Second Studio');
  const options = { organizationId: otherId };
  const project = await grace.api.projects.create({ body: { name: 'Print' } }, options);
  const { id: adaId } = await ada.api.auth.user();
  await grace.api.tasks.create(
    { params: { projectId: project.id }, body: { title: 'Poster', assigneeIds: [adaId] } },
    options,
  );
  await inbox.untilUnread(3);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/notifications');
  await expectRows(page, [/Poster/, /Header/, /Imprint/]);
  const organization = page.getByRole('combobox', { name: 'Organization' });
  await organization.selectOption('Second Studio');
  await expectRows(page, [/Poster/]);
  await organization.selectOption('All organizations');
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('Assignments');
  await expectRows(page, [/Poster/, /Header/]);
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('Removals');
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await view(page, 'Mentions').click();
  await expectRows(page, [/Imprint/]);
  expect(await page.getByRole('combobox', { name: 'Reason' }).count()).toBe(0);
  for (const [name, title] of [
    ['Snoozed', 'Nothing is snoozed'],
    ['Archived', 'Nothing is archived'],
  ] as const) {
    await view(page, name).click();
    await page.getByRole('heading', { name: title }).waitFor();
    await expectAccessible(page);
  }
  // A view has an address.
  await view(page, 'Unread').click();
  await expectRows(page, [/Poster/, /Header/, /Imprint/]);
  await page.reload();
  await expectRows(page, [/Poster/, /Header/, /Imprint/]);

  // A subject of another organization is opened there.
  await page.getByRole('link', { name: /Poster/ }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor({ timeout });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^Switch organization: Second Studio/ }).waitFor();
  await page.goBack();
  await expectRows(page, [/Header/, /Imprint/]);
});

test('is put off to a choice or a date, comes back, and is undone', async () => {
  const inbox = await newInboxTeam(stack);
  const { ada, organizationId } = inbox;
  await inbox.assign(await inbox.addTask('One'));
  await inbox.untilUnread(1);
  const snoozed = async () => {
    const { items } = await ada.api.notifications.list({ query: { isSnoozed: true } });
    return items.map(({ snoozedUntil }) => Date.parse(snoozedUntil ?? ''));
  };
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  const choose = async (item: string | RegExp) => {
    await row(page, 'One').hover();
    await page.getByRole('button', { name: 'Snooze' }).locator('visible=true').click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await visitor.goto('/notifications');
  await expectRows(page, [/One/]);
  await choose(/^Tomorrow/);
  await page.getByText('You’re all caught up').waitFor();
  await bell(page, 'Notifications').waitFor();
  await notice(page)
    .getByText(/^Snoozed until .*9:00/)
    .waitFor();
  await expect.poll(async () => (await snoozed()).length, { timeout }).toBe(1);
  await notice(page).getByRole('button', { name: 'Undo' }).click();
  await expectRows(page, [/One/]);
  await bell(page, 'Notifications 1 unread').waitFor({ timeout });

  await choose('Pick a date…');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Date').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Snooze' }).click();
  await dialog.getByText('Choose a time in the future.').waitFor();
  await expectAccessibleInBoth(page);
  const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Date').fill(inAWeek);
  await dialog.getByLabel('Time').fill('14:30');
  await dialog.getByRole('button', { name: 'Snooze' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('You’re all caught up').waitFor();
  const chosenMs = await page.evaluate<number>(`Date.parse('${inAWeek}T14:30')`);
  const [until = 0] = await expect.poll(snoozed, { timeout }).toHaveLength(1).then(snoozed);
  expect(Math.abs(until - chosenMs)).toBeLessThanOrEqual(60_000);

  await view(page, 'Snoozed').click();
  await row(page, 'One')
    .getByText(/^Until/)
    .waitFor();
  await expectAccessible(page);
  await row(page, 'One').hover();
  await page.getByRole('button', { name: 'End snooze' }).locator('visible=true').click();
  await page.getByRole('heading', { name: 'Nothing is snoozed' }).waitFor();
  await bell(page, 'Notifications 1 unread').waitFor({ timeout });
});

test('all that is shown is marked as read, and what arrives meanwhile is not', async () => {
  const inbox = await newInboxTeam(stack);
  const { ada, organizationId } = inbox;
  for (const title of ['One', 'Two']) await inbox.assign(await inbox.addTask(title));
  await inbox.untilUnread(2);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/notifications');
  await expectRows(page, [/Two/, /One/]);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/notifications/read', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await bell(page, 'Notifications').waitFor();
  await inbox.assign(await inbox.addTask('Three'));
  await inbox.untilUnread(3);
  release();
  await bell(page, 'Notifications 1 unread').waitFor({ timeout });
  await expectRows(page, [/Unread:.*Three/, /^(?!.*Unread).*Two/, /^(?!.*Unread).*One/]);
  expect((await ada.api.notifications.count()).unread).toBe(1);
});

test('without a network, it is archived at once, and sent later', async () => {
  const inbox = await newInboxTeam(stack);
  const { ada, organizationId } = inbox;
  await inbox.assign(await inbox.addTask('One'));
  await inbox.untilUnread(1);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  visitor.allowError(/ERR_INTERNET_DISCONNECTED/);
  const { page, context } = visitor;
  await visitor.goto('/notifications');
  await expectRows(page, [/One/]);
  await waitForScripts(page);
  await context.setOffline(true);
  await page.keyboard.press('j');
  await page.keyboard.press('u');
  await row(page, 'One').getByText('Not sent yet').waitFor();
  await page.keyboard.press('e');
  await page.getByText('You’re all caught up').waitFor();
  await page.getByText('2 changes wait to be sent').waitFor();
  expect((await ada.api.notifications.count()).unread).toBe(1);
  await context.setOffline(false);
  const archived = async () => {
    const { items } = await ada.api.notifications.list({ query: { isArchived: true } });
    return items.map(({ isRead }) => isRead);
  };
  await expect.poll(archived, { timeout }).toEqual([true]);
});

test('a task is followed and unfollowed, which decides what arrives', async () => {
  const inbox = await newInboxTeam(stack);
  const { ada, grace, organizationId } = inbox;
  const task = await inbox.addTask('One');
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto(`/projects/${inbox.project.id}?task=${task.id}`);
  const drawer = page.getByRole('dialog');
  const follow = drawer.getByRole('button', { name: 'Follow', exact: true });
  const following = drawer.getByRole('button', { name: 'Following', exact: true });
  await drawer.getByText('1 follower').waitFor({ timeout });
  await tabTo(page, follow);
  await page.keyboard.press('Enter');
  await following.waitFor();
  await drawer.getByText('2 followers').waitFor();
  await expectAccessibleInBoth(page);
  const params = { id: task.id };
  const stored = async () =>
    (await ada.api.notifications.following({ params }, { organizationId })).isFollowing;
  await expect.poll(stored, { timeout }).toBe(true);
  await inbox.comment(grace, task, 'Done.');
  await inbox.untilUnread(1);
  await following.click();
  await follow.waitFor();
  await expect.poll(stored, { timeout }).toBe(false);
  await inbox.comment(grace, task, 'Really.');
  // What comes later has arrived, so this one did not.
  await inbox.assign(await inbox.addTask('Two'));
  await inbox.untilUnread(2);
  const { items } = await ada.api.notifications.list({});
  expect(items.map(({ reason, eventCount }) => [reason, eventCount])).toEqual([
    ['assigned', 1],
    ['commented', 1],
  ]);
});

describe('who leaves a team', () => {
  test('sees nothing more of it, but that it ended', async () => {
    const inbox = await newInboxTeam(stack);
    const { ada, organizationId } = inbox;
    await inbox.mention(await inbox.addTask('Secret'), 'this is between us.');
    await inbox.untilUnread(1);
    await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
    visitor.allowError(/status of 40[134]/);
    const { page } = visitor;
    await visitor.goto('/notifications');
    await expectRows(page, [/Secret/]);
    await inbox.removeAda();
    await expectRows(page, [/Grace Tester removed you from Harbour Studio/]);
    expect(await page.getByText('between us').count()).toBe(0);
    // There is nothing to open, so a press reads it.
    await page.getByRole('button', { name: /removed you from Harbour Studio/ }).click();
    await bell(page, 'Notifications').waitFor({ timeout });
    await expectAccessible(page);
  });
});
