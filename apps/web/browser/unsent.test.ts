// @module-tag slow

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { expectColumn, setUpBoard } from './testing/board.ts';
import type { Visitor } from './testing/visitor.ts';
import { waitForPage, waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const { stack, ada, grace, organizationId, fixtures, visitAs } = await setUpBoard();

async function addTask(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add task to To do' }).click();
  await page.keyboard.type(title);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
}

async function moveToDone(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for “${title}”` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Done' }).press('Enter');
}

const bar = (page: Page) => page.locator('main').getByRole('status').first();

/** Lets no change reach the server, while the app itself can be loaded. */
async function cutChanges(visitor: Visitor): Promise<void> {
  visitor.allowError(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  await visitor.context.route(/\/api\/(projects|tasks|comments)/, async (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
}

/** Returns how many unsent changes of all tabs are in the browser's storage. */
function storedCount(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const opening = indexedDB.open('atelier-unsent');
    opening.onsuccess = () => {
      const reading = opening.result.transaction('changes').objectStore('changes').getAll();
      reading.onsuccess = () => { opening.result.close(); resolve(reading.result.flat().length); };
    };
  })`);
}

test('work without a network is shown at once, marked as unsent, and sent in order', async () => {
  const project = await fixtures.newProject('Train', { TODO: ['One', 'Two'] });
  await using visitor = await visitAs(ada);
  visitor.allowError(/ERR_INTERNET_DISCONNECTED/);
  const { page, context } = visitor;
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['One', 'Two']);
  await waitForScripts(page);
  await context.setOffline(true);
  await addTask(page, 'Three');
  await expectColumn(page, 'TODO', ['One', 'Two', 'Three']);
  await bar(page).getByText('1 change waits to be sent').waitFor();
  await moveToDone(page, 'One');
  await expectColumn(page, 'TODO', ['Two', 'Three']);
  await expectColumn(page, 'DONE', ['One']);
  await bar(page).getByText('2 changes wait to be sent').waitFor();
  expect(await page.getByText('Not sent yet').count()).toBe(2);
  await expectAccessibleInBoth(page);
  expect(await fixtures.storedTitles(project, 'TODO')).toEqual(['One', 'Two']);

  await context.setOffline(false);
  await page.getByText('Not sent yet').first().waitFor({ state: 'detached', timeout });
  await expect
    .poll(() => fixtures.storedTitles(project, 'TODO'), { timeout })
    .toEqual(['Two', 'Three']);
  await expectColumn(page, 'TODO', ['Two', 'Three']);
  await page.getByRole('button', { name: 'Actions for “Three”' }).waitFor();
});

test('a comment and a changed field wait too, and are sent when the network is back', async () => {
  const project = await fixtures.newProject('Ferry', { TODO: ['One'] });
  const task = await fixtures.storedTask(project, 'One');
  await using visitor = await visitAs(ada);
  visitor.allowError(/ERR_INTERNET_DISCONNECTED/);
  const { page, context } = visitor;
  await visitor.goto(`/projects/${project.id}?task=${task?.id}`);
  await waitForPage(page);
  const drawer = page.getByRole('dialog');
  await drawer.getByText('No comments yet').waitFor();
  await context.setOffline(true);
  await drawer.getByRole('textbox', { name: 'Title' }).fill('Uno');
  await drawer.getByRole('textbox', { name: 'Title' }).press('Enter');
  await drawer.getByRole('textbox', { name: 'Comment' }).fill('Written at sea');
  await drawer.getByRole('button', { name: 'Comment' }).click();
  await drawer.getByText('Written at sea').waitFor();
  await drawer.getByText('Not sent yet').waitFor();
  await context.setOffline(false);
  await drawer.getByText('Not sent yet').waitFor({ state: 'detached', timeout });
  const comments = async () =>
    (
      await ada.api.comments.list({ params: { taskId: task?.id ?? '' } }, { organizationId })
    ).items.map(({ body }) => body);
  await expect.poll(comments, { timeout }).toEqual(['Written at sea']);
  expect((await fixtures.storedTask(project, 'Uno'))?.title).toBe('Uno');
});

test('what has been sent can’t be taken back any more, also while the page is fetched again', async () => {
  const project = await fixtures.newProject('Quay', { TODO: ['One'] });
  await using visitor = await visitAs(ada);
  const { page, context } = visitor;
  await cutChanges(visitor);
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['One']);
  await waitForScripts(page);
  await moveToDone(page, 'One');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await waitForPage(page);
  await bar(page)
    .getByRole('button', { name: /to be sent$/ })
    .click();
  const list = page.getByRole('dialog', { name: 'Waiting to be sent' });
  await list.getByRole('button', { name: 'Undo: Move “One”' }).waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await context.unrouteAll();
  await context.route(/\/api\//, async (route) => {
    if (route.request().method() === 'GET') await released;
    await route.continue();
  });
  await expect.poll(() => fixtures.storedTitles(project, 'DONE'), { timeout }).toEqual(['One']);
  await list.getByText('Everything has been sent.').waitFor();
  expect(await list.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  release();
});

test('unsent work survives a reload, and is sent once', async () => {
  const project = await fixtures.newProject('Mountain', { TODO: ['One'] });
  await using visitor = await visitAs(ada);
  const { page, context } = visitor;
  await cutChanges(visitor);
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['One']);
  await waitForScripts(page);
  await addTask(page, 'Two');
  await moveToDone(page, 'One');
  await expect.poll(() => storedCount(page), { timeout }).toBe(2);
  await page.reload();
  await expectColumn(page, 'TODO', ['Two']);
  await expectColumn(page, 'DONE', ['One']);
  await context.unrouteAll();
  await expect.poll(() => fixtures.storedTitles(project, 'TODO'), { timeout }).toEqual(['Two']);
  await expect.poll(() => fixtures.storedTitles(project, 'DONE'), { timeout }).toEqual(['One']);
  await expect.poll(() => storedCount(page), { timeout }).toBe(0);
});

test('a change that a former organization refuses later leaves the one that is open', async () => {
  const ben = await newAccount(stack, 'Ben');
  const former = await newTeam(stack, [ada, ben], 'Former team');
  await newTeam(stack, [ben], 'Own team');
  const body = { name: 'Delta' };
  const project = await ada.api.projects.create({ body }, { organizationId: former });
  const params = { projectId: project.id };
  await ada.api.tasks.create({ params, body: { title: 'One' } }, { organizationId: former });
  await using visitor = await visitAs(ben, { organizationId: former });
  visitor.allowError(/status of 403/);
  const { page, context } = visitor;
  await cutChanges(visitor);
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['One']);
  await waitForScripts(page);
  await moveToDone(page, 'One');
  await bar(page).getByText('1 change waits to be sent').waitFor();
  const switcher = page.getByRole('button', { name: /^Switch organization/ });
  await switcher.click();
  await page.getByRole('menuitemradio', { name: 'Own team' }).click();
  await page.getByText('Own team overview').waitFor();
  const { items } = await ada.api.organizations.listMembers({ params: { id: former }, query: {} });
  const memberId = items.find(({ user }) => user.email === ben.email)?.id ?? '';
  await ada.api.organizations.removeMember({ params: { id: former, memberId } });
  await context.unrouteAll();
  await page.getByRole('log').getByText('A change was not saved').waitFor({ timeout });
  await switcher.getByText('Own team').waitFor();
  expect(await page.getByText('You no longer have access to that organization').count()).toBe(0);
});

test('a change that the server refuses later is undone and said', async () => {
  const project = await fixtures.newProject('Valley', { TODO: ['One', 'Two'] });
  const task = await fixtures.storedTask(project, 'One');
  await using visitor = await visitAs(ada);
  visitor.allowError(/ERR_INTERNET_DISCONNECTED|status of 404/);
  const { page, context } = visitor;
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['One', 'Two']);
  await waitForScripts(page);
  await context.setOffline(true);
  await moveToDone(page, 'One');
  await expectColumn(page, 'DONE', ['One']);
  await ada.api.tasks.remove({ params: { id: task?.id ?? '' } }, { organizationId });
  await context.setOffline(false);
  await page.getByRole('log').getByText('A change was not saved').waitFor({ timeout });
  await expectColumn(page, 'DONE', []);
  await expectColumn(page, 'TODO', ['Two']);
});

test('signing out removes unsent work, and the next user never sends it', async () => {
  const project = await fixtures.newProject('Island', { TODO: ['One'] });
  await using visitor = await visitAs(ada);
  const { page, context } = visitor;
  await cutChanges(visitor);
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['One']);
  await waitForScripts(page);
  await addTask(page, 'Secret');
  await expect.poll(() => storedCount(page), { timeout }).toBe(1);
  await page.getByRole('button', { name: /^Account menu for/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const asking = page.getByRole('dialog', { name: 'Sign out and lose unsent changes?' });
  await asking.getByText('1 change is only on this device.').waitFor();
  await expectAccessibleInBoth(page);
  await asking.getByRole('button', { name: 'Cancel' }).click();
  expect(await storedCount(page)).toBe(1);
  await page.getByRole('button', { name: /^Account menu for/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await asking.getByRole('button', { name: 'Sign out and delete' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout });
  await expect.poll(() => storedCount(page), { timeout }).toBe(0);
  await context.unrouteAll();
  await page.getByLabel('Email').fill(grace.email);
  await page.getByLabel('Password').fill(grace.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Account menu for Grace/ }).waitFor({ timeout });
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['One']);
  expect(await fixtures.storedTitles(project, 'TODO')).toEqual(['One']);
});

test('a deletion that could still be undone is sent after a reload, and before the user signs out', async () => {
  const project = await fixtures.newProject('Last words', { TODO: ['One', 'Two', 'Three'] });
  await using visitor = await visitAs(ada);
  // The request of the page that went may have got through.
  visitor.allowError(/status of 404|ERR_FAILED|ERR_ABORTED/);
  const { page } = visitor;
  await visitor.goto(`/projects/${project.id}`);
  await waitForScripts(page);
  const remove = async (title: string) => {
    await page.getByRole('button', { name: `Actions for “${title}”` }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete task' }).press('Enter');
    await page.getByText(`“${title}” has been deleted.`).waitFor();
  };
  await remove('One');
  await expectColumn(page, 'TODO', ['Two', 'Three']);
  await expect.poll(() => storedCount(page), { timeout }).toBe(1);
  await page.reload();
  await expect
    .poll(() => fixtures.storedTitles(project, 'TODO'), { timeout })
    .toEqual(['Two', 'Three']);
  await expectColumn(page, 'TODO', ['Two', 'Three']);
  await expect.poll(() => storedCount(page), { timeout }).toBe(0);
  expect(await page.getByRole('log').locator('p').count()).toBe(0);

  await waitForScripts(page);
  await remove('Two');
  await page.getByRole('button', { name: /^Account menu for/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect.poll(() => fixtures.storedTitles(project, 'TODO'), { timeout }).toEqual(['Three']);
});
