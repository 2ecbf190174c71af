import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { setUpBoard } from './testing/board.ts';
import { paste } from './testing/paste.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const { ada, organizationId, visitAs } = await setUpBoard();

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click();

const options = { organizationId };
const titled = async (wanted: string) =>
  (await ada.api.collections.list({ query: { q: wanted } }, options)).items.length;

test.each([
  {
    what: 'project',
    path: '/projects',
    creating: /\/api\/projects$/,
    open: (page: Page) => press(page, 'New project'),
    field: 'Name',
    action: 'Create project',
    count: async (name: string) =>
      (await ada.api.projects.list({ query: { q: name } }, options)).items.length,
  },
  {
    what: 'team',
    path: '/',
    creating: /\/api\/organizations$/,
    async open(page: Page) {
      await press(page, /^Switch organization/);
      await page.getByRole('menuitem', { name: 'Create a team' }).click();
    },
    field: 'Team name',
    action: 'Create a team',
    count: async (wanted: string) =>
      (await ada.api.organizations.list()).items.filter(({ name }) => name === wanted).length,
  },
  {
    what: 'collection',
    path: '/collections',
    creating: /\/api\/collections\/create$/,
    open: (page: Page) => press(page, 'New collection'),
    field: 'Title',
    action: 'Create',
    count: titled,
  },
  {
    what: 'collection for files',
    path: '/',
    creating: /\/api\/collections\/create$/,
    async open(page: Page) {
      await waitForScripts(page);
      // What is pasted before the page listens is lost.
      const pasteAndLook = async () => {
        await paste(page);
        return page.getByRole('dialog').count();
      };
      await expect.poll(pasteAndLook, { interval: 500, timeout: 20_000 }).toBe(1);
      await page.getByLabel('Collection', { exact: true }).selectOption('New collection…');
    },
    field: 'Title of the new collection',
    action: 'Upload',
    count: titled,
  },
])('a $what whose response got lost is created once', async (one) => {
  const name = `Only one ${one.what}`;
  await using visitor = await visitAs(ada);
  visitor.allowError(/ERR_FAILED/);
  const { page } = visitor;
  const lose = async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  };
  await page.route(one.creating, lose);
  await visitor.goto(one.path);
  await one.open(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(one.field, { exact: true }).fill(name);
  const create = dialog.getByRole('button', { name: one.action, exact: true });
  await create.click();
  await dialog.getByText('Can’t reach the server').waitFor({ timeout: 40_000 });
  await page.unroute(one.creating, lose);
  await create.click();
  await dialog.waitFor({ state: 'detached' });
  expect(await one.count(name)).toBe(1);
});
