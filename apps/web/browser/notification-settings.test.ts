// @module-tag slow

import type { NotificationPreferencesBody } from '@atelier/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessible, expectAccessibleInBoth } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { tabTo } from './testing/keyboard.ts';
import { reloadAndStay } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';
import { waitForPage } from './testing/wait-for-page.ts';

const timeout = 40_000;
const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const choose = (page: Page, name: string, option: string) =>
  page.getByRole('combobox', { name, exact: true }).selectOption(option);
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

test('reasons, the summary and teams are chosen and saved', async () => {
  const ada = await newAccount(stack, 'Ada');
  const organizationId = await newTeam(stack, [ada]);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/settings/profile');
  await page.getByRole('link', { name: 'Manage notifications' }).click();
  await page.getByRole('heading', { name: 'Notification settings' }).waitFor();
  await choose(page, 'Comments: by email', 'Instant');
  await page.getByRole('checkbox', { name: 'Changes: in the inbox' }).uncheck();
  // What the inbox doesn't have is not mailed.
  const changes = page.getByRole('combobox', { name: 'Changes: by email' });
  expect(await changes.inputValue()).toBe('OFF');
  expect(await changes.isDisabled()).toBe(true);
  await choose(page, 'How often', 'Every week');
  await choose(page, 'On', 'Friday');
  await choose(page, 'At', '5 PM');
  await choose(page, 'Time zone', 'Europe/Lisbon');
  await choose(page, 'Notifications of Harbour Studio', 'Mentions only');
  await page.getByText('You have unsaved changes.').waitFor();
  await expectAccessibleInBoth(page);
  await save(page).click();
  await page.getByText('Your settings are saved.').waitFor();
  await save(page).waitFor({ state: 'detached' });
  const stored = await ada.api.notifications.preferences();
  expect(stored).toMatchObject({
    reasons: {
      commented: { inbox: true, mail: 'INSTANT' },
      changed: { inbox: false, mail: 'OFF' },
      mentioned: { inbox: true, mail: 'INSTANT' },
    },
    digest: { frequency: 'WEEKLY', hour: 17, weekday: 5, timeZone: 'Europe/Lisbon' },
    organizations: { [organizationId]: 'MENTIONS' },
  });
  await page.reload();
  expect(await page.getByRole('combobox', { name: 'On', exact: true }).inputValue()).toBe('5');
});

test('security can not be switched off, and an invitation is always mailed', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/settings/notifications');
  const security = page.getByRole('row', { name: /^Security of your account/ });
  expect(await security.getByRole('checkbox').isDisabled()).toBe(true);
  expect(await security.getByRole('checkbox').isChecked()).toBe(true);
  await security.getByText('Always on').waitFor();
  const invitations = page.getByRole('row', { name: /^Invitations/ });
  expect(await invitations.getByRole('combobox').count()).toBe(0);
  await invitations.getByRole('checkbox').uncheck();
  await save(page).click();
  await page.getByText('Your settings are saved.').waitFor();
  const { reasons } = await ada.api.notifications.preferences();
  expect(reasons.invited).toEqual({ inbox: false, mail: 'INSTANT' });
  expect(reasons.security).toEqual({ inbox: true, mail: 'INSTANT' });
});

test('changes of another tab are never overwritten', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/settings/notifications');
  await choose(page, 'Comments: by email', 'Off');
  const before = await ada.api.notifications.preferences();
  const body: NotificationPreferencesBody = {
    ...before,
    digest: { ...before.digest, frequency: 'OFF' },
  };
  await ada.api.notifications.setPreferences({ body });
  await save(page).click();
  await page
    .getByRole('alert')
    .getByText(/have changed in the meantime/)
    .waitFor();
  await expectAccessibleInBoth(page);
  expect((await ada.api.notifications.preferences()).reasons.commented.mail).toBe('DIGEST');
  await page.getByRole('button', { name: 'Load the current settings' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await expect
    .poll(() => page.getByRole('combobox', { name: 'How often' }).inputValue(), { timeout })
    .toBe('OFF');
  await choose(page, 'Comments: by email', 'Off');
  await save(page).click();
  await page.getByText('Your settings are saved.').waitFor();
  expect(await ada.api.notifications.preferences()).toMatchObject({
    reasons: { commented: { mail: 'OFF' } },
    digest: { frequency: 'OFF' },
  });
});

test('is changed by keyboard, fits narrow windows, and brings switched off mails back', async () => {
  const ada = await newAccount(stack, 'Ada');
  const organizationId = await newTeam(stack, [ada]);
  const before = await ada.api.notifications.preferences();
  const body: NotificationPreferencesBody = {
    ...before,
    unsubscribed: { [organizationId]: ['commented', 'changed'] },
  };
  await ada.api.notifications.setPreferences({ body });
  await using visitor = await visit(
    { browser, stack },
    { as: ada, organizationId, viewport: { width: 360, height: 800 } },
  );
  const { page } = visitor;
  await visitor.goto('/settings/notifications');
  await waitForPage(page);
  await page.getByText('You switched off its mails by a link: Comments, Changes').waitFor();
  await expectAccessible(page);
  await tabTo(page, page.getByRole('checkbox', { name: 'Mentions: in the inbox' }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Allow them again' }));
  await page.keyboard.press('Enter');
  await tabTo(page, save(page));
  await page.keyboard.press('Enter');
  await page.getByText('Your settings are saved.').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await ada.api.notifications.preferences()).toMatchObject({
    reasons: { mentioned: { inbox: false, mail: 'OFF' } },
    unsubscribed: {},
  });
});

test('a mailed link asks before it switches anything off', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
  await visitor.goto('/unsubscribe?token=any.token');
  await page.getByRole('heading', { name: 'Stop these emails?' }).waitFor();
  await waitForPage(page);
  expect(sent).toEqual([]);
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Stop these emails' }).click();
  // The same for a token that nobody has: it tells nothing about it.
  await page.getByRole('heading', { name: 'These emails are switched off' }).waitFor();
  expect(sent).toEqual([expect.stringMatching(/^POST .*\/unsubscribe\?token=any\.token$/)]);
  await expectAccessibleInBoth(page);
  await visitor.goto('/unsubscribe');
  await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
  await page.getByRole('link', { name: 'Notification settings' }).click();
  // The session is kept.
  await page.getByRole('heading', { name: 'Notification settings' }).waitFor();
  await using anonymous = await visit({ browser, stack });
  await anonymous.goto('/unsubscribe?token=any.token');
  await anonymous.page.getByRole('button', { name: 'Stop these emails' }).click();
  await anonymous.page.getByRole('link', { name: 'Notification settings' }).click();
  await anonymous.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('the content of emails is chosen by admins alone', async () => {
  const [ada, grace] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Grace')];
  const organizationId = await newTeam(stack, [ada, grace]);
  await using visitor = await visit({ browser, stack }, { as: ada, organizationId });
  const { page } = visitor;
  await visitor.goto('/settings/organization');
  const content = page.getByRole('combobox', { name: 'Content of emails' });
  await content.selectOption('Neither');
  await page.getByText('Emails say that something is new, and link to it.').waitFor();
  await expectAccessible(page);
  await page
    .locator('section')
    .filter({ has: content })
    .getByRole('button', { name: 'Save' })
    .click();
  await page.getByText('Content of emails saved.').waitFor();
  const params = { id: organizationId };
  expect((await ada.api.organizations.get({ params })).mailContent).toBe('NONE');
  await using other = await visit({ browser, stack }, { as: grace, organizationId });
  await other.goto('/settings/organization');
  await waitForPage(other.page);
  expect(await other.page.getByText('Content of emails').count()).toBe(0);
});

test('a change made while saving stays, and is saved next', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/settings/notifications');
  await choose(page, 'Comments: by email', 'Instant');
  const received = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const preferences = /\/api\/notification-preferences$/;
  await page.route(preferences, async (route) => {
    if (route.request().method() === 'PUT') {
      received.resolve();
      await released.promise;
    }
    await route.continue();
  });
  await save(page).click();
  await received.promise;
  await choose(page, 'Changes: by email', 'Instant');
  released.resolve();
  await page.getByText('Your settings are saved.').waitFor();
  await page.getByText('You have unsaved changes.').waitFor();
  const changes = page.getByRole('combobox', { name: 'Changes: by email' });
  expect(await changes.inputValue()).toBe('INSTANT');
  await page.unroute(preferences);
  await save(page).click();
  await save(page).waitFor({ state: 'detached' });
  expect((await ada.api.notifications.preferences()).reasons).toMatchObject({
    commented: { mail: 'INSTANT' },
    changed: { mail: 'INSTANT' },
  });
});

test('unsaved changes stay on other pages, and the browser asks before they are lost', async () => {
  const ada = await newAccount(stack, 'Ada');
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/settings/notifications');
  await choose(page, 'Comments: by email', 'Instant');
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  await page.goBack();
  await page.getByText('You have unsaved changes.').waitFor();
  const comments = page.getByRole('combobox', { name: 'Comments: by email' });
  expect(await comments.inputValue()).toBe('INSTANT');
  await reloadAndStay(page);
  await save(page).click();
  await page.getByText('Your settings are saved.').waitFor();
  expect((await ada.api.notifications.preferences()).reasons.commented.mail).toBe('INSTANT');
});
