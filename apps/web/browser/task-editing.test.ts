// @module-tag slow

import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { expectColumn, setUpBoard } from './testing/board.ts';

const timeout = 40_000;
const { ada, fixtures, visitAs } = await setUpBoard();

const refusal = { message: 'No', code: 'permission_denied', requestId: 'test' };

test('a due date that was typed is set by a button', async () => {
  const project = await fixtures.newProject('Dates', { TODO: ['One'] });
  const task = await fixtures.storedTask(project, 'One');
  await using visitor = await visitAs(ada);
  const { page } = visitor;
  await visitor.goto(`/projects/${project.id}?task=${task?.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Due date: None' }).click();
  const set = drawer.getByRole('button', { name: 'Set', exact: true });
  await drawer.getByRole('grid').waitFor();
  expect(await set.count()).toBe(0);
  await drawer.getByLabel('Due date', { exact: true }).fill('2041-05-17');
  await set.waitFor();
  await expectAccessibleInBoth(page);
  await set.click();
  await drawer.getByRole('button', { name: 'Due date: Due May 17, 2041' }).waitFor();
  await expect
    .poll(async () => (await fixtures.storedTask(project, 'One'))?.dueDate, { timeout })
    .toMatch(/^2041-05-1[78]/);
});

test('Shift+Tab leaves a comment without a mention', async () => {
  const project = await fixtures.newProject('Mentions', { TODO: ['One'] });
  const task = await fixtures.storedTask(project, 'One');
  await using visitor = await visitAs(ada);
  const { page } = visitor;
  await visitor.goto(`/projects/${project.id}?task=${task?.id}`);
  const drawer = page.getByRole('dialog');
  const field = drawer.getByRole('textbox', { name: 'Write a comment' });
  await field.click();
  await page.keyboard.type('Ask @gra');
  await drawer.getByRole('option', { name: 'Grace Tester' }).waitFor();
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(false);
  expect(await field.inputValue()).toBe('Ask @gra');
});

test('following that couldn’t be loaded is loaded by trying again', async () => {
  const project = await fixtures.newProject('Followers', { TODO: ['One'] });
  const task = await fixtures.storedTask(project, 'One');
  await using visitor = await visitAs(ada);
  visitor.allowError(/status of 403/);
  const { page } = visitor;
  await page.route('**/follow', (route) => route.fulfill({ status: 403, json: refusal }));
  await visitor.goto(`/projects/${project.id}?task=${task?.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Try again' }).waitFor();
  await page.unrouteAll();
  await drawer.getByRole('button', { name: 'Try again' }).click();
  await drawer.getByRole('button', { name: /^Follow(ing)?$/ }).waitFor();
  expect(await drawer.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

test('a title that is refused while the next one is typed is named', async () => {
  const project = await fixtures.newProject('Titles', { TODO: ['One'] });
  const task = await fixtures.storedTask(project, 'One');
  await using visitor = await visitAs(ada);
  visitor.allowError(/status of 403/);
  const { page } = visitor;
  let released = Promise.withResolvers<void>();
  await page.route(`**/api/projects/${project.id}/tasks*`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await released.promise;
    return route.fulfill({ status: 403, json: refusal });
  });
  await visitor.goto(`/projects/${project.id}`);
  await page.getByRole('button', { name: 'Add task to To do' }).click();
  await page.keyboard.type('Two');
  await page.keyboard.press('Enter');
  await expectColumn(page, 'TODO', ['One', 'Two']);
  await page.keyboard.type('Three');
  released.resolve();
  await page.getByText('“Two” couldn’t be added. Your role').waitFor({ timeout });
  expect(await page.getByRole('textbox', { name: /^Title of/ }).inputValue()).toBe('Three');

  released = Promise.withResolvers<void>();
  await visitor.goto(`/projects/${project.id}?task=${task?.id}`);
  const drawer = page.getByRole('dialog');
  const subtask = drawer.getByRole('textbox', { name: 'Add a subtask' });
  await subtask.fill('Deck');
  await subtask.press('Enter');
  await subtask.fill('Keel');
  released.resolve();
  await drawer.getByText('“Deck” couldn’t be added. Your role').waitFor({ timeout });
  expect(await subtask.inputValue()).toBe('Keel');
});
