// @module-tag slow

import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { card, expectColumn, setUpBoard } from './testing/board.ts';

const timeout = 40_000;
const { ada, grace, organizationId, fixtures, visitAs } = await setUpBoard();

test('labels are created on a task, filter the board and the list, and are managed in a dialog', async () => {
  const project = await fixtures.newProject('Labels', { TODO: ['One', 'Two'] });
  const task = await fixtures.storedTask(project, 'One');
  await using mine = await visitAs(ada);
  await using theirs = await visitAs(grace);
  const { page } = mine;
  await theirs.goto(`/projects/${project.id}`);
  await mine.goto(`/projects/${project.id}?task=${task?.id}`);

  // By keyboard alone: open the picker, type a name, create the label.
  const drawer = page.getByRole('dialog', { name: /^LAB-1/ });
  await drawer.getByRole('button', { name: 'Choose labels' }).press('Enter');
  await page.getByRole('combobox', { name: 'Find or create a label' }).fill('Bug');
  await page.getByRole('button', { name: 'Create “Bug”' }).press('Enter');
  await drawer.getByRole('list', { name: 'Labels' }).getByText('Bug').waitFor();
  await card(theirs.page, 'One')
    .locator('xpath=ancestor::li')
    .getByText('Bug')
    .waitFor({ timeout });
  expect((await fixtures.storedTask(project, 'One'))?.labels).toMatchObject([{ name: 'Bug' }]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });

  await page.getByRole('combobox', { name: 'Label' }).selectOption('Bug');
  await expectColumn(page, 'TODO', ['One']);
  await page.getByRole('link', { name: 'List' }).click();
  await page.getByRole('table').getByText('Bug').waitFor();
  await expect.poll(() => page.getByRole('row').count(), { timeout }).toBe(2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => page.getByRole('row').count(), { timeout }).toBe(3);

  await page.getByRole('button', { name: 'Project actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Manage labels' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Labels' });
  await dialog.getByText('1 task').waitFor();
  await dialog.getByRole('textbox', { name: 'New label' }).fill('Copy');
  await page.keyboard.press('Enter');
  await dialog.getByRole('textbox', { name: 'Name of “Copy”' }).waitFor();
  await expectAccessibleInBoth(page);
  mine.allowError(/status of 409/);
  await dialog.getByRole('textbox', { name: 'Name of “Copy”' }).fill('bug');
  await page.keyboard.press('Enter');
  await page.getByText('There is already a label with this name.').first().waitFor();
  const refused = dialog.getByRole('textbox', { name: 'Name of “Copy”' });
  await refused.blur();
  expect(await refused.inputValue()).toBe('bug');
  await dialog.getByRole('textbox', { name: 'Name of “Bug”' }).fill('Defect');
  await page.keyboard.press('Enter');
  await dialog.getByRole('combobox', { name: 'Colour of “Defect”' }).selectOption('Red');
  await card(theirs.page, 'One')
    .locator('xpath=ancestor::li')
    .getByText('Defect')
    .waitFor({ timeout });
  await dialog.getByRole('button', { name: 'Delete “Defect”' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Delete “Defect”?' });
  await confirmation.getByText('It will be removed from 1 task.').waitFor();
  await confirmation.getByRole('button', { name: 'Delete label' }).click();
  await confirmation.waitFor({ state: 'detached' });
  await theirs.page.getByRole('list', { name: 'Labels' }).waitFor({ state: 'detached', timeout });
  expect((await fixtures.storedTask(project, 'One'))?.labels).toEqual([]);
});

test('labels that couldn’t be loaded are not taken for none', async () => {
  const project = await fixtures.newProject('Unlabelled', { TODO: ['One'] });
  const task = await fixtures.storedTask(project, 'One');
  const body = { name: 'Rigging', color: 'TEAL' } as const;
  await ada.api.labels.create({ body }, { organizationId });
  await using mine = await visitAs(ada);
  mine.allowError(/status of 500/);
  const { page } = mine;
  const json = { message: 'No', code: 'internal_error', requestId: 'test' };
  const labels = /\/api\/labels\?/;
  await page.route(labels, (route) => route.fulfill({ status: 500, json }));
  await mine.goto(`/projects/${project.id}?task=${task?.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Choose labels' }).click();
  await drawer.getByText('Something went wrong on the server').waitFor();
  await page.getByRole('button', { name: 'Manage labels' }).click();
  const dialog = page.getByRole('dialog', { name: 'Labels' });
  await dialog.getByText('This couldn’t be loaded').waitFor();
  await page.unroute(labels);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('textbox', { name: 'Name of “Rigging”' }).waitFor();
  expect(await page.getByText('No labels yet').count()).toBe(0);
});

test('a label keeps the name that is being typed, and the focus, when it changes', async () => {
  const project = await fixtures.newProject('Typed');
  const options = { organizationId };
  const body = { name: 'Draft', color: 'BROWN' } as const;
  const { id } = await ada.api.labels.create({ body }, options);
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}`);
  await page.getByRole('button', { name: 'Project actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Manage labels' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Labels' });
  const name = dialog.getByRole('textbox', { name: 'Name of “Draft”' });
  const color = dialog.getByRole('combobox', { name: 'Colour of “Draft”' });
  await name.fill('Sketch');
  await ada.api.labels.update({ params: { id }, body: { color: 'RED' } }, options);
  await expect.poll(() => color.inputValue(), { timeout }).toBe('RED');
  expect(await name.inputValue()).toBe('Sketch');
  // This saves the name.
  await color.focus();
  const renamed = dialog.getByRole('combobox', { name: 'Colour of “Sketch”' });
  await renamed.waitFor();
  expect(await renamed.evaluate((element) => element === document.activeElement)).toBe(true);
});
