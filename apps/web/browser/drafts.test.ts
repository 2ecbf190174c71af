// @module-tag slow

import type { Task } from '@atelier/client';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { card, setUpBoard } from './testing/board.ts';
import { expectEventually } from './testing/library.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const { ada, grace, organizationId, fixtures, visitAs } = await setUpBoard();

async function newTask(projectName: string): Promise<{ task: Task; path: string }> {
  const project = await fixtures.newProject(projectName, { TODO: ['One'] });
  const task = await fixtures.storedTask(project, 'One');
  if (!task) throw new Error('the project has no task');
  return { task, path: `/projects/${project.id}` };
}

async function openTask(page: Page): Promise<Locator> {
  await page
    .getByRole('button', { name: 'One', exact: true })
    .or(page.getByRole('link', { name: 'One', exact: true }))
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('textbox', { name: 'Title' }).waitFor();
  return drawer;
}

async function closeTask(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account menu for/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout });
}

const commentField = (drawer: Locator) => drawer.getByRole('textbox', { name: 'Comment' });
const descriptionField = (drawer: Locator) => drawer.getByRole('textbox', { name: 'Description' });

test('what was typed on a task stays when its panel is closed, and the next user sees none of it', async () => {
  const { path } = await newTask('Thoughts');
  await using visitor = await visitAs(ada);
  const { page } = visitor;
  await visitor.goto(path);
  await waitForScripts(page);
  const drawer = await openTask(page);
  await commentField(drawer).fill('Half a thought');
  await drawer.getByRole('button', { name: 'Add a description…' }).click();
  await descriptionField(drawer).fill('Several paragraphs');
  const subtaskField = drawer.getByRole('textbox', { name: 'Add a subtask' });
  await subtaskField.fill('A step');
  await subtaskField.press('Escape');
  await drawer.waitFor({ state: 'detached' });

  await openTask(page);
  expect(await commentField(drawer).inputValue()).toBe('Half a thought');
  expect(await subtaskField.inputValue()).toBe('A step');
  expect(await descriptionField(drawer).inputValue()).toBe('Several paragraphs');
  await drawer.getByRole('button', { name: 'Cancel' }).click();
  await drawer.getByRole('button', { name: 'Add a description…' }).click();
  expect(await descriptionField(drawer).inputValue()).toBe('');
  await descriptionField(drawer).fill('Other paragraphs');
  await closeTask(page);

  await signOut(page);
  await page.getByLabel('Email').fill(grace.email);
  await page.getByLabel('Password').fill(grace.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Account menu for Grace/ }).waitFor({ timeout });
  // In the same page, without a load.
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByRole('link', { name: 'Thoughts' }).first().click();
  await openTask(page);
  expect(await commentField(drawer).inputValue()).toBe('');
  expect(await descriptionField(drawer).count()).toBe(0);
});

test('a comment that is refused returns to its field, also when the panel was closed meanwhile', async () => {
  const { path, task } = await newTask('Refusals');
  await using visitor = await visitAs(ada);
  visitor.allowError(/status of 403/);
  const { page } = visitor;
  const closed = Promise.withResolvers<void>();
  await page.route(`**/api/tasks/${task.id}/comments`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await closed.promise;
    const json = { message: 'No', code: 'permission_denied', requestId: 'test' };
    return route.fulfill({ status: 403, json });
  });
  await visitor.goto(path);
  await waitForScripts(page);
  const drawer = await openTask(page);
  await commentField(drawer).fill('Written with care');
  await drawer.getByRole('button', { name: 'Comment', exact: true }).click();
  await drawer.getByText('Written with care').waitFor();
  expect(await commentField(drawer).inputValue()).toBe('');
  await closeTask(page);
  closed.resolve();
  const notice = page.getByRole('log').getByText('A change was not saved');
  await notice.waitFor({ timeout });
  await openTask(page);
  expect(await commentField(drawer).inputValue()).toBe('Written with care');
  // In the open panel, too.
  await drawer.getByRole('button', { name: 'Comment', exact: true }).click();
  // The notice of the first refusal may still say the same, among other things.
  const reason = 'Your role in this organization doesn’t allow this.';
  await drawer.getByText(reason, { exact: true }).waitFor();
  expect(await commentField(drawer).inputValue()).toBe('Written with care');

  await closeTask(page);
  await signOut(page);
  await expectEventually(() => notice.count()).toBe(0);
});

test('a comment that is refused while the next one is typed comes before it', async () => {
  const { path, task } = await newTask('Two thoughts');
  await using visitor = await visitAs(ada);
  visitor.allowError(/status of 403/);
  const { page } = visitor;
  const typed = Promise.withResolvers<void>();
  await page.route(`**/api/tasks/${task.id}/comments`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await typed.promise;
    const json = { message: 'No', code: 'permission_denied', requestId: 'test' };
    return route.fulfill({ status: 403, json });
  });
  await visitor.goto(path);
  await waitForScripts(page);
  const drawer = await openTask(page);
  await commentField(drawer).fill('The first');
  await drawer.getByRole('button', { name: 'Comment', exact: true }).click();
  await commentField(drawer).fill('The second');
  typed.resolve();
  await drawer.getByText('Your role in this organization doesn’t allow this.').waitFor({ timeout });
  expect(await commentField(drawer).inputValue()).toBe('The first\n\nThe second');
});

test('what a comment is being changed to stays when Escape is pressed or its panel closed', async () => {
  const { path, task } = await newTask('Corrections');
  const params = { taskId: task.id };
  await ada.api.comments.create({ params, body: { body: 'As it was' } }, { organizationId });
  await using visitor = await visitAs(ada);
  const { page } = visitor;
  await visitor.goto(path);
  await waitForScripts(page);
  const drawer = await openTask(page);
  const field = drawer.getByRole('textbox', { name: 'Edit comment' });
  const edit = async () => {
    await drawer.getByRole('button', { name: /^Actions for Ada.*comment$/ }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
  };
  await edit();
  await field.press('Escape');
  await drawer.getByText('As it was').waitFor();
  await edit();
  await field.fill('As it should be');
  await field.press('Escape');
  expect(await field.inputValue()).toBe('As it should be');
  await closeTask(page);
  await openTask(page);
  expect(await field.inputValue()).toBe('As it should be');
  await drawer.getByRole('button', { name: 'Cancel' }).click();
  await edit();
  expect(await field.inputValue()).toBe('As it was');
  await field.fill('As it should be');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await field.waitFor({ state: 'detached' });
  await expectEventually(async () =>
    (await ada.api.comments.list({ params }, { organizationId })).items.map(({ body }) => body),
  ).toEqual(['As it should be']);
});

test('a title that is refused stays in its field, and Escape discards it', async () => {
  const { path, task } = await newTask('Names');
  await using visitor = await visitAs(ada);
  visitor.allowError(/status of 403/);
  const { page } = visitor;
  await page.route(`**/api/tasks/${task.id}`, (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const json = { message: 'No', code: 'permission_denied', requestId: 'test' };
    return route.fulfill({ status: 403, json });
  });
  await visitor.goto(path);
  await waitForScripts(page);
  const drawer = await openTask(page);
  const title = drawer.getByRole('textbox', { name: 'Title' });
  await title.fill('Worded with care');
  await title.press('Enter');
  await drawer.getByText('Your role in this organization doesn’t allow this.').waitFor();
  // The change has been undone.
  await card(page, 'One').waitFor();
  expect(await title.inputValue()).toBe('Worded with care');
  await title.press('Escape');
  expect(await title.inputValue()).toBe('One');
});

test('a comment whose deletion got no response is deleted, and not said to be there', async () => {
  const { path, task } = await newTask('Losses');
  const params = { taskId: task.id };
  await ada.api.comments.create({ params, body: { body: 'A mistake' } }, { organizationId });
  await using visitor = await visitAs(ada);
  visitor.allowError(/ERR_FAILED|status of 404/);
  const { page } = visitor;
  let deletions = 0;
  await page.route(`**/api/tasks/${task.id}/comments/*`, async (route) => {
    if (route.request().method() !== 'DELETE' || ++deletions > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await visitor.goto(path);
  await waitForScripts(page);
  const drawer = await openTask(page);
  await drawer.getByText('A mistake').waitFor();
  await drawer.getByRole('button', { name: /^Actions for Ada.*comment$/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectEventually(() => deletions).toBe(2);
  await drawer.getByText('No comments yet').waitFor({ timeout });
  expect(await page.getByRole('log').locator('p').count()).toBe(0);
});

test('what is typed into a description while it is saved stays in its field', async () => {
  const { path, task } = await newTask('Haste');
  await using visitor = await visitAs(ada);
  const { page } = visitor;
  const typed = Promise.withResolvers<void>();
  await page.route(`**/api/tasks/${task.id}`, async (route) => {
    if (route.request().method() === 'PATCH') await typed.promise;
    return route.continue();
  });
  await visitor.goto(path);
  await waitForScripts(page);
  const drawer = await openTask(page);
  await drawer.getByRole('button', { name: 'Add a description…' }).click();
  await descriptionField(drawer).fill('The first');
  const save = drawer.getByRole('button', { name: 'Save' });
  await save.click();
  await descriptionField(drawer).pressSequentially(' and the second');
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  typed.resolve();
  await saved;
  await expectEventually(() => save.isEnabled()).toBe(true);
  expect(await descriptionField(drawer).inputValue()).toBe('The first and the second');
  expect(await drawer.getByText('Someone else changed the description').count()).toBe(0);
  await save.click();
  await descriptionField(drawer).waitFor({ state: 'detached' });
  await drawer.getByText('The first and the second').waitFor();
});

test('a description that is saved in spite of an error is not taken for someone else’s', async () => {
  const { path, task } = await newTask('Silence');
  await using visitor = await visitAs(ada);
  visitor.allowError(/status of 500/);
  const { page } = visitor;
  await page.route(`**/api/tasks/${task.id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    await route.fetch();
    const json = { message: 'No', code: 'internal_error', requestId: 'test' };
    return route.fulfill({ status: 500, json });
  });
  await visitor.goto(path);
  await waitForScripts(page);
  const drawer = await openTask(page);
  await drawer.getByRole('button', { name: 'Add a description…' }).click();
  await descriptionField(drawer).fill('Several paragraphs');
  const isRead = page.waitForResponse(async (response) => {
    if (response.request().method() !== 'GET' || !response.url().includes('/tasks')) return false;
    return (await response.text()).includes('Several paragraphs');
  });
  await drawer.getByRole('button', { name: 'Save' }).click();
  await isRead;
  await drawer.getByText('Something went wrong on the server').waitFor();
  expect(await descriptionField(drawer).inputValue()).toBe('Several paragraphs');
  expect(await drawer.getByText('Someone else changed the description').count()).toBe(0);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await descriptionField(drawer).waitFor({ state: 'detached' });
  await drawer.getByText('Several paragraphs').waitFor();
});
