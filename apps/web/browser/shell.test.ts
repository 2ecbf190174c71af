import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { heading, signIn } from './testing/pages.ts';
import { visit } from './testing/visitor.ts';
import { waitForPage, waitForScripts } from './testing/wait-for-page.ts';

const stack = inject('stack');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const organizationButton = (page: Page) =>
  page.getByRole('button', { name: /^Switch organization/ });

async function openPalette(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).waitFor();
}

describe('a session', () => {
  test('starts with the form and continues to the requested page', async () => {
    const ada = await newAccount(stack);
    await using visitor = await visit({ browser, stack });
    const { page } = visitor;
    await visitor.goto('/projects');
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill('not this one');
    visitor.allowError(/status of 400/);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Password').fill(ada.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects');
  });

  test('is shared by three tabs, survives an expired access token and ends in all of them', async () => {
    const ada = await newAccount(stack);
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/');
    const tabs = [page, await visitor.newTab('/projects'), await visitor.newTab('/collections')];
    for (const tab of tabs) await waitForPage(tab);
    visitor.allowError(/status of 401/);
    await page.evaluate(`localStorage.setItem('svc_token', 'x.y.z')`);
    await Promise.all(tabs.map((tab) => tab.reload()));
    for (const tab of tabs) await tab.getByText(ada.email).first().waitFor();
    const { items } = await ada.api.sessions.list({});
    expect(items).toHaveLength(2);

    await page.getByRole('button', { name: /^Account menu for/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of tabs) await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('You have signed out.').waitFor();
    for (const tab of tabs.slice(1))
      await tab.getByText('You signed out in another tab.').waitFor();
    expect(new URL(tabs[1]?.url() ?? '').searchParams.get('redirect')).toBe('/projects');
    // The page changes before the sign-out request has finished.
    await expect
      .poll(async () => (await ada.api.sessions.list({})).items.length, { timeout: 15_000 })
      .toBe(1);
    expect(await page.evaluate('localStorage.getItem("svc_token")')).toBeNull();
  });

  test('survives a reload that loses the response of a refresh', async () => {
    const ada = await newAccount(stack);
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/');
    await waitForPage(page);
    visitor.allowError(/status of 401/);
    const answered = Promise.withResolvers<number>();
    const loseResponse = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      answered.resolve(response.status());
    };
    await page.route('**/auth/refresh-token', loseResponse);
    await page.evaluate(`localStorage.setItem('svc_token', 'x.y.z')`);
    await page.getByRole('link', { name: 'Projects' }).first().click();
    expect(await answered.promise).toBe(200);
    // Pointing at the link loads the page ahead, and so may refresh before the click has opened it.
    await page.waitForURL('**/projects');
    await page.unroute('**/auth/refresh-token', loseResponse);
    await page.reload();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.getByText(ada.email).first().waitFor();
  });

  test.each([
    { keys: 'Control+k', name: 'Search and commands' },
    { keys: '?', name: 'Keyboard shortcuts' },
  ])(
    'that another tab ends leaves nothing of “$name” open for the next',
    async ({ keys, name }) => {
      const ada = await newAccount(stack);
      await using visitor = await visit({ browser, stack }, { as: ada });
      const { page } = visitor;
      await visitor.goto('/');
      await waitForScripts(page);
      await page.keyboard.press(keys);
      const dialog = page.getByRole('dialog', { name });
      await dialog.waitFor();
      // What is under way when the session ends.
      visitor.allowError(/status of 401/);
      const other = await visitor.newTab();
      await other.getByRole('button', { name: /^Account menu for/ }).click();
      await other.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in');
      expect(await dialog.count()).toBe(0);
      await signIn(page, ada.email, ada.password);
      await heading(page, /^Good /);
      await waitForScripts(page);
      expect(await dialog.count()).toBe(0);
    },
  );

  test('ended elsewhere is signed out with a notification in every tab', async () => {
    const ada = await newAccount(stack);
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/settings/profile');
    const tabs = [page, await visitor.newTab('/projects')];
    for (const tab of tabs) await waitForPage(tab);
    visitor.allowError(/status of 401|ERR_INCOMPLETE_CHUNKED_ENCODING/);
    await ada.api.sessions.endOthers({});
    for (const tab of tabs) {
      await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
      await tab.getByRole('log').getByText('Your session has ended.').waitFor();
    }
    expect(await page.evaluate('localStorage.getItem("svc_token")')).toBeNull();
  });
});

test('the licenses of what the app contains are served beside it', async () => {
  const response = await fetch(`${stack.app}/licenses.txt`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await response.text();
  expect(text).toMatch(/^react-dom \S+\nLicense: MIT$/m);
  expect(text).toContain('The Inter Project Authors');
  expect(text).toContain('LIBERATION FONT SOFTWARE');
});

describe('organizations', () => {
  test('a team is created by keyboard, and the personal organization selected again', async () => {
    const ada = await newAccount(stack);
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/');
    await organizationButton(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Create a team' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create a team' });
    await dialog.getByLabel('Team name').waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('Give the team a name.').waitFor();
    await expectAccessible(page);
    await page.keyboard.type('Night Shift');
    await page.keyboard.press('Enter');
    await organizationButton(page).getByText('Night Shift').waitFor();
    const { items } = await ada.api.organizations.list({});
    expect(items.map(({ name }) => name)).toContain('Night Shift');

    await page.reload();
    await organizationButton(page).getByText('Night Shift').waitFor();
    await organizationButton(page).click();
    await page.getByRole('menuitemradio', { name: 'Personal' }).click();
    await organizationButton(page).getByText('Personal').waitFor();
    await page.reload();
    await organizationButton(page).getByText('Personal').waitFor();
  });

  test('a member of a team starts in the team', async () => {
    const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
    const organizationId = await newTeam(stack, [ada, ben], 'First Light');
    await using visitor = await visit({ browser, stack }, { as: ben });
    await visitor.goto('/');
    await organizationButton(visitor.page).getByText('First Light').waitFor();
    const chosen = await visitor.page.evaluate('localStorage.getItem("svc_organization_id")');
    expect(chosen).toBe(organizationId);
  });

  test('a removed member is switched to the personal organization', async () => {
    const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
    const organizationId = await newTeam(stack, [ada, ben], 'Short Stay');
    await using visitor = await visit({ browser, stack }, { as: ben, organizationId });
    const { page } = visitor;
    await visitor.goto('/');
    await organizationButton(page).getByText('Short Stay').waitFor();
    await waitForPage(page);
    visitor.allowError(/status of 403|ERR_INCOMPLETE_CHUNKED_ENCODING/);
    const { items } = await ada.api.organizations.listMembers({ params: { id: organizationId } });
    const memberId = items.find(({ role }) => role === 'MEMBER')?.id ?? '';
    await ada.api.organizations.removeMember({ params: { id: organizationId, memberId } });
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await organizationButton(page).getByText('Personal').waitFor();
    expect(await page.evaluate('localStorage.getItem("svc_organization_id")')).toBe('');
  });
});

describe('the palette', () => {
  test('finds pages and resources by keyboard alone', async () => {
    const ada = await newAccount(stack);
    await ada.api.collections.create({ body: { title: 'Zebra crossings' } });
    await using visitor = await visit({ browser, stack }, { as: ada });
    const { page } = visitor;
    await visitor.goto('/');
    await openPalette(page);
    await page.keyboard.type('zebra');
    await page.getByRole('option', { name: 'Zebra crossings' }).waitFor();
    // It may also have been found for the first letters, and Enter is about all of them.
    await page.getByRole('status').getByText('2 results').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/collections/*');

    await openPalette(page);
    await page.keyboard.type('my ta');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My tasks', level: 1 }).waitFor();

    await openPalette(page);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
  });

  test('changes the appearance, which survives a reload', async () => {
    const ada = await newAccount(stack);
    await using visitor = await visit({ browser, stack }, { as: ada, colorScheme: 'light' });
    const { page } = visitor;
    await visitor.goto('/');
    const background = () =>
      page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    expect(await background()).toBe('light dark');
    await openPalette(page);
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    await expect.poll(background).toBe('dark');
    await page.reload();
    await waitForPage(page);
    expect(await background()).toBe('dark');
  });
});

test('a tooltip makes room for a menu that opens', async () => {
  const ada = await newAccount(stack);
  await ada.api.collections.create({ body: { title: 'Desk' } });
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/collections');
  await waitForPage(page);
  const favorite = page.getByRole('button', { name: 'Favorite: Desk' });
  const tooltip = page.getByRole('tooltip').filter({ hasText: 'Favorite: Desk' });
  await favorite.hover();
  await tooltip.waitFor();
  // The pointer stays where it is.
  await page.getByRole('button', { name: 'More actions for Desk' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await expect.poll(() => tooltip.count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.mouse.move(0, 0);
  await favorite.hover();
  await tooltip.waitFor();
});

test('shows changes of others live', async () => {
  const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
  const organizationId = await newTeam(stack, [ada, ben], 'Live Team');
  await using visitor = await visit({ browser, stack }, { as: ben, organizationId });
  const { page } = visitor;
  const streaming = page.waitForResponse((response) => response.url().includes('/events'));
  await visitor.goto('/');
  expect((await streaming).status()).toBe(200);
  await waitForPage(page);
  await ada.api.organizations.rename({
    params: { id: organizationId },
    body: { name: 'Renamed Team' },
  });
  await organizationButton(page).getByText('Renamed Team').waitFor();
});

test('shows what others changed after the page was read, before the live updates began', async () => {
  const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
  const organizationId = await newTeam(stack, [ada, ben], 'Early Team');
  await using visitor = await visit({ browser, stack }, { as: ben, organizationId });
  const { page } = visitor;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/events', async (route) => {
    await held;
    await route.continue();
  });
  await visitor.goto('/');
  await organizationButton(page).getByText('Early Team').waitFor();
  await waitForPage(page);
  await ada.api.organizations.rename({
    params: { id: organizationId },
    body: { name: 'Late Team' },
  });
  release();
  await expect.poll(() => organizationButton(page).textContent()).toContain('Late Team');
});

test('shows what others changed while the page was being read for the first time', async () => {
  const [ada, ben] = [await newAccount(stack, 'Ada'), await newAccount(stack, 'Ben')];
  const organizationId = await newTeam(stack, [ada, ben]);
  const options = { organizationId };
  const { id } = await ada.api.projects.create({ body: { name: 'Old Pier' } }, options);
  await using visitor = await visit({ browser, stack }, { as: ben, organizationId });
  const { page } = visitor;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  await page.route(
    '**/api/projects?*',
    async (route) => {
      const response = await route.fetch();
      read.resolve();
      await held;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  const following = page.waitForResponse('**/api/events');
  await visitor.goto('/projects');
  await Promise.all([read.promise, following]);
  const noticed = page.waitForRequest((request) => request.url().includes('/api/notifications'));
  await ada.api.projects.update({ params: { id }, body: { name: 'New Pier' } }, options);
  await noticed;
  release();
  await page.getByText('New Pier').first().waitFor();
  expect(await page.getByText('Old Pier').count()).toBe(0);
});

test('on a phone the navigation is behind a button, and nothing exceeds the width of the window', async () => {
  const ada = await newAccount(stack);
  await using visitor = await visit(
    { browser, stack },
    { as: ada, viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' },
  );
  const { page } = visitor;
  await visitor.goto('/');
  await page.getByRole('button', { name: 'Open navigation' }).click();
  const drawer = page.getByRole('dialog', { name: 'Main navigation' });
  await drawer.getByRole('link', { name: 'Projects' }).waitFor();
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await drawer.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  expect(await drawer.count()).toBe(0);
  const durations = await page.evaluate<string[]>(
    `[...document.querySelectorAll('*')].map((element) => getComputedStyle(element).transitionDuration)`,
  );
  expect(durations.filter((duration) => parseFloat(duration) > 0.01)).toEqual([]);
});

test('the first tab stop skips to the content', async () => {
  const ada = await newAccount(stack);
  await using visitor = await visit({ browser, stack }, { as: ada });
  const { page } = visitor;
  await visitor.goto('/');
  await waitForPage(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
});
