import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { card, column, expectColumn, setUpBoard } from './testing/board.ts';
import { waitForPage, waitForScripts } from './testing/wait-for-page.ts';
import type { Visitor } from './testing/visitor.ts';

const timeout = 20_000;
const { ada, fixtures, organizationId, visitAs } = await setUpBoard();

/** Marks the document, to notice a reload. */
const mark = (page: Page) => page.evaluate('globalThis.isMarked = true');
const isMarked = (page: Page) => page.evaluate<boolean>('globalThis.isMarked === true');

function allowNetworkErrors(visitor: Visitor): void {
  visitor.allowError(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION/);
}

test('offline, a page without its script keeps the present one, and opens when the network is back', async () => {
  await using visitor = await visitAs(ada);
  allowNetworkErrors(visitor);
  const { page, context } = visitor;
  await visitor.goto('/projects');
  await waitForPage(page);
  await mark(page);
  await context.setOffline(true);
  await page.getByRole('status').getByText('Offline').waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  const notice = page.getByRole('log').getByText('You’re offline. The page opens');
  await notice.waitFor();
  expect(new URL(page.url()).pathname).toBe('/projects');
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('log').getByRole('button', { name: 'Try again' }).click();
  await notice.waitFor();
  await context.setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor({ timeout });
  expect(await notice.count()).toBe(0);
  expect(await isMarked(page)).toBe(true);
});

test('a page whose script a deployment replaced offers the reload, and never forces it', async () => {
  await using visitor = await visitAs(ada);
  visitor.allowError(/status of 404/);
  const { page, context } = visitor;
  await visitor.goto('/projects');
  await waitForPage(page);
  await mark(page);
  await context.route(/\/_app\/.*\.js/, (route) => route.fulfill({ status: 404, body: 'gone' }));
  const pathname = () => new URL(page.url()).pathname;
  const notice = page.getByRole('log').getByText('There is a new version of Atelier.');
  const inPlace = page.getByRole('status').getByText('There is a new version of Atelier');
  for (let attempt = 1; attempt <= 5 && !(await notice.isVisible()); attempt += 1) {
    // On a busy machine the response may take longer than the app keeps the page for: then it says so in the next one.
    if (pathname() !== '/projects') await page.goBack();
    await page.getByRole('link', { name: 'My tasks' }).click();
    await notice.or(inPlace).first().waitFor();
  }
  expect(await notice.count()).toBe(1);
  expect(pathname()).toBe('/projects');
  expect(await isMarked(page)).toBe(true);
  await context.unrouteAll();
  await page.getByRole('log').getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'My tasks' }).waitFor({ timeout });
  expect(await isMarked(page)).toBe(false);
});

test('a dialog without its script says so in its place, and fills itself when the network is back', async () => {
  await using visitor = await visitAs(ada);
  allowNetworkErrors(visitor);
  const { page, context } = visitor;
  // Before the browser is idle.
  await context.route(/\/_app\/project-form-/, (route) => route.abort());
  await visitor.goto('/projects');
  await waitForPage(page);
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This couldn’t be loaded').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  await expectAccessibleInBoth(page);
  // While nothing answers: later, it may be filled before the click.
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('This couldn’t be loaded').waitFor();
  await context.unrouteAll();
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
});

test('offline, an opened task says so and keeps the board, and is filled when the network is back', async () => {
  const project = await fixtures.newProject('Tunnel', { TODO: ['One', 'Two'] });
  await using visitor = await visitAs(ada);
  allowNetworkErrors(visitor);
  const { page, context } = visitor;
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['One', 'Two']);
  await waitForScripts(page);
  await context.setOffline(true);
  await card(page, 'One').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('You’re offline').waitFor();
  expect(await column(page, 'TODO').locator('[data-card]').allTextContents()).toEqual([
    'One',
    'Two',
  ]);
  await expectAccessibleInBoth(page);
  await context.setOffline(false);
  await drawer.getByRole('textbox', { name: 'Title' }).waitFor({ timeout });
});

test('offline, what a dialog sends fails at once, and is never sent later', async () => {
  const project = await fixtures.newProject('Lighthouse');
  await using visitor = await visitAs(ada);
  allowNetworkErrors(visitor);
  const { page, context } = visitor;
  const dialog = page.getByRole('dialog');
  const openPage = (name: string) => page.getByRole('link', { name }).first().click();
  const cancel = async () => {
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const openDeletion = async () => {
    await page.getByRole('button', { name: 'Actions for Lighthouse' }).click();
    await page.getByRole('menuitem', { name: 'Delete project' }).click();
    await dialog.getByLabel('Type “Lighthouse” to confirm').fill('Lighthouse');
  };
  const createCollection = async (title: string) => {
    await page.getByRole('button', { name: 'New collection' }).first().click();
    await dialog.getByLabel('Title').fill(title);
    await dialog.getByRole('button', { name: 'Create' }).click();
  };
  await visitor.goto('/collections');
  await waitForScripts(page);
  await openPage('Projects');
  await openDeletion();
  await cancel();
  await context.setOffline(true);
  await openDeletion();
  await dialog.getByRole('button', { name: 'Delete project' }).click();
  await dialog.getByText('Can’t reach the server').waitFor({ timeout });
  await cancel();
  await openPage('Collections');
  await createCollection('Drift');
  await dialog.getByText('Can’t reach the server').waitFor({ timeout });
  await cancel();

  await context.setOffline(false);
  await page.getByRole('status').getByText('Offline').waitFor({ state: 'detached', timeout });
  await createCollection('Anchored');
  await page.getByRole('heading', { level: 1, name: 'Anchored' }).waitFor({ timeout });
  const { items } = await ada.api.collections.list({}, { organizationId });
  expect(items.map(({ title }) => title)).not.toContain('Drift');
  const params = { id: project.id };
  expect((await ada.api.projects.get({ params }, { organizationId })).name).toBe('Lighthouse');
});

test('a board that the server could not send recovers by itself', async () => {
  const project = await fixtures.newProject('Restart', { TODO: ['One'] });
  await using visitor = await visitAs(ada);
  allowNetworkErrors(visitor);
  const { page, context } = visitor;
  await context.route(/\/api\/projects\/.*\/tasks/, (route) => route.abort());
  await visitor.goto(`/projects/${project.id}`);
  await page.getByRole('alert').getByText('This couldn’t be loaded').waitFor({ timeout });
  await context.unrouteAll();
  await expectColumn(page, 'TODO', ['One']);
});

test.each([
  ['user', /\/auth\/user/, /^Account menu for/],
  ['organizations', /\/api\/organizations\?/, /^Switch organization/],
] as const)(
  'an account whose %s the server could not read says so, and recovers by itself',
  async (_part, path, button) => {
    await using visitor = await visitAs(ada);
    visitor.allowError(/status of 500/);
    const { page, context } = visitor;
    const json = { success: false, code: 'internal_error', message: 'No', errors: [] };
    await context.route(path, (route) => route.fulfill({ status: 500, json }));
    await visitor.goto('/settings/members');
    const bar = page.locator('main').getByRole('status').first();
    await bar.getByText('Your account couldn’t be loaded').waitFor({ timeout });
    await expectAccessibleInBoth(page);
    await context.unrouteAll();
    await page.getByRole('button', { name: button }).waitFor({ timeout });
    await bar.getByText('Your account couldn’t be loaded').waitFor({ state: 'detached' });
  },
);

/** Milliseconds from a click until what it opens is painted, measured in the page. */
async function openingMs(page: Page, button: string, opened: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const button = document.querySelector(${JSON.stringify(button)});
    let start;
    new MutationObserver((_, observer) => {
      if (!document.querySelector(${JSON.stringify(opened)})) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
    // What the page still does after its load is no part of the opening.
    requestIdleCallback(() => {
      start = performance.now();
      button.click();
    });
  })`);
}

test('menus and dialogs open at once, also for the first time after a load', async () => {
  const project = await fixtures.newProject('Quick', { TODO: ['One'] });
  await using visitor = await visitAs(ada);
  const { page } = visitor;
  const cases = [
    [`/projects/${project.id}`, '[aria-label="Actions for “One”"]', '[role="menu"]'],
    [`/projects/${project.id}`, '[data-card]', 'dialog[open]'],
    [`/projects`, 'main header button', 'dialog[open] input'],
    [`/collections`, 'main header button', 'dialog[open] input'],
  ] as const;
  for (const [path, button, opened] of cases) {
    const timesMs: number[] = [];
    // Other work on the machine can only add to a time.
    while (timesMs.length < maxLoads && Math.min(...timesMs) >= limitMs) {
      await visitor.goto(path);
      await waitForPage(page);
      await waitForScripts(page);
      timesMs.push(Math.round(await openingMs(page, button, opened)));
    }
    console.log(
      `${button} of /${path.split('/')[1]} shows ${opened} after ${timesMs.join(', ')} ms`,
    );
    expect(Math.min(...timesMs), `${button} at ${path}`).toBeLessThan(limitMs);
  }
});

const limitMs = 100;
const maxLoads = 15;
