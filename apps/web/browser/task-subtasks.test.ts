// @module-tag slow

import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { card, setUpBoard } from './testing/board.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const { ada, fixtures, organizationId, visitAs } = await setUpBoard();
const options = { organizationId };

test('subtasks are added, completed and opened, and the task shows how far they are', async () => {
  const project = await fixtures.newProject('Parts', { TODO: ['Boat'] });
  const task = await fixtures.storedTask(project, 'Boat');
  const id = task?.id ?? '';
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}?task=${id}`);
  const drawer = page.getByRole('dialog', { name: /-1$/ });
  const field = drawer.getByRole('textbox', { name: 'Add a subtask' });
  await field.press('Enter');
  await drawer.getByText('Give the task a title').waitFor();
  for (const title of ['Hull', 'Sail', 'Mast']) {
    await field.fill(title);
    await field.press('Enter');
  }
  const list = drawer.getByRole('list', { name: 'Subtasks of this task' });
  await list.getByRole('link', { name: 'Mast' }).waitFor();
  await drawer.getByText('0 of 3 done').waitFor();
  await list.getByRole('checkbox', { name: '“Sail” is done' }).press('Space');
  await drawer.getByText('1 of 3 done').waitFor();
  await expectAccessibleInBoth(page);
  const stored = async () => (await fixtures.storedTask(project, 'Boat')) ?? null;
  await expect
    .poll(stored, { timeout })
    .toMatchObject({ subtaskCount: 3, completedSubtaskCount: 1 });

  await list.getByRole('link', { name: 'Hull' }).press('Enter');
  const part = page.getByRole('dialog', { name: /-2$/ });
  await part.getByText('Part of').waitFor();
  await expectAccessibleInBoth(page);
  await part.getByRole('link', { name: 'Boat' }).press('Enter');
  await drawer.getByText('1 of 3 done').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await card(page, 'Boat').waitFor();
  await page.getByText('1 of 3 subtasks done').waitFor({ state: 'attached' });
});

test('a subtask that is added without a network is sent later', async () => {
  const project = await fixtures.newProject('Later', { TODO: ['Boat'] });
  const task = await fixtures.storedTask(project, 'Boat');
  const id = task?.id ?? '';
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}/tasks/${id}`);
  const field = page.getByRole('textbox', { name: 'Add a subtask' });
  await field.waitFor();
  await waitForScripts(page);
  mine.allowError(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  await field.fill('Hull');
  await field.press('Enter');
  const list = page.getByRole('list', { name: 'Subtasks of this task' });
  await list.getByText('Hull').waitFor();
  await page.getByText('0 of 1 done').waitFor();
  await page.context().setOffline(false);
  await list.getByRole('link', { name: 'Hull' }).waitFor({ timeout });
  const query = { parentId: id };
  const params = { projectId: project.id };
  const { items } = await ada.api.tasks.listInProject({ params, query }, options);
  expect(items.map(({ title }) => title)).toEqual(['Hull']);
});
