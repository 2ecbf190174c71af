// @module-tag slow

import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { card, column, drag, expectColumn, setUpBoard } from './testing/board.ts';
import { daytimeZone } from './testing/daytime.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const { ada, grace, fixtures, organizationId, visitAs } = await setUpBoard();
const options = { organizationId };

test('several tasks are selected by keyboard and mouse, and changed together', async () => {
  const project = await fixtures.newProject('Bulk', { TODO: ['One', 'Two', 'Three', 'Four'] });
  const label = await ada.api.labels.create({ body: { name: 'Rope', color: 'TEAL' } }, options);
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}?view=list&sort=position`);
  await page.getByRole('link', { name: 'One' }).waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const box = (title: string) => page.getByRole('checkbox', { name: `Select “${title}”` });
  await expect.poll(() => box('One').isChecked()).toBe(true);
  await box('Three').click({ modifiers: ['Shift'] });
  const bar = page.getByRole('group', { name: 'Change the selected tasks' });
  await bar.getByText('3 selected').waitFor();
  await expectAccessibleInBoth(page);

  await bar.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'In review' }).click();
  await bar.getByRole('button', { name: 'Priority' }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'High' }).click();
  await bar.getByRole('button', { name: 'Labels' }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'Rope' }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'Rope', selected: true }).waitFor();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Assignees' }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'Grace Tester' }).click();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Due date' }).click();
  await page.getByRole('button', { name: 'Tomorrow' }).click();
  for (const title of ['One', 'Two', 'Three']) {
    await expect
      .poll(() => fixtures.storedTask(project, title), { timeout })
      .toMatchObject({
        status: 'IN_REVIEW',
        priority: 'HIGH',
        labels: [{ id: label.id }],
        assignees: [{ displayName: 'Grace Tester' }],
        dueDate: expect.any(String),
      });
  }
  expect(await fixtures.storedTask(project, 'Four')).toMatchObject({
    status: 'TODO',
    labels: [],
    dueDate: null,
  });

  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('3 tasks have been deleted.').waitFor();
  await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
  await page.getByRole('log').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.locator('[data-row]').count()).toBe(4);
});

test('each task that could not be changed is told with its reason', async () => {
  const project = await fixtures.newProject('Refusals', { TODO: ['Good', 'Bad'] });
  const bad = await fixtures.storedTask(project, 'Bad');
  await using mine = await visitAs(ada);
  mine.allowError(/status of 409/);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}?view=list`);
  await page.route(`**/api/tasks/${bad?.id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const json = { success: false, code: 'conflict', message: 'It is being moved', errors: [] };
    return route.fulfill({ status: 409, json });
  });
  await page.getByRole('checkbox', { name: 'Select all tasks that are shown' }).check();
  await page.getByRole('button', { name: 'Priority' }).last().click();
  await page.getByRole('listbox').getByRole('option', { name: 'Urgent' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('One task couldn’t be changed:').waitFor();
  await alert.getByText('“Bad”: It is being moved').waitFor();
  await expect
    .poll(() => fixtures.storedTask(project, 'Good'), { timeout })
    .toMatchObject({ priority: 'URGENT' });
  const row = page.getByRole('row').filter({ hasText: 'Bad' });
  await row.getByText('No priority').waitFor();
  await expectAccessibleInBoth(page);
  await alert.getByRole('button', { name: 'Dismiss' }).click();
  await alert.waitFor({ state: 'detached' });
});

test('the board is grouped, and its columns are collapsed and stay so', async () => {
  const project = await fixtures.newProject('Groups', { TODO: ['Sail', 'Mast'], DONE: ['Oar'] });
  const [sail, mast] = await Promise.all(
    ['Sail', 'Mast'].map((title) => fixtures.storedTask(project, title)),
  );
  const { id: graceId } = await grace.api.auth.user();
  await ada.api.tasks.assign(
    { params: { id: sail?.id ?? '' }, body: { assigneeIds: [graceId] } },
    options,
  );
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}`);
  await page.getByRole('button', { name: 'Collapse Done' }).click();
  await column(page, 'DONE').getByText('Oar').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Expand Done' }).waitFor();
  await expectAccessibleInBoth(page);
  // A card that is moved into it opens it.
  await page.getByRole('button', { name: 'Actions for “Mast”' }).click();
  await page.getByRole('menuitem', { name: 'Done' }).click();
  await expectColumn(page, 'DONE', ['Mast', 'Oar']);

  await page.getByRole('combobox', { name: 'Group by' }).selectOption('By assignee');
  const cards = (name: string) =>
    page.getByRole('region', { name }).locator('[data-card]').allTextContents();
  await expect.poll(() => cards('Grace Tester'), { timeout }).toEqual(['Sail']);
  await expect.poll(() => cards('Unassigned')).toEqual(['Mast', 'Oar']);
  await expectAccessibleInBoth(page);
  await waitForScripts(page);
  const target = await page.getByRole('region', { name: 'Grace Tester' }).boundingBox();
  if (!target) throw new Error('the column is not shown');
  await drag(page, card(page, 'Mast'), { x: target.x + 60, y: target.y + 90 });
  await expect
    .poll(() => fixtures.storedTask(project, 'Mast'), { timeout })
    .toMatchObject({ assignees: [{ id: graceId }], id: mast?.id });

  // Without a mouse, the menu of the card does the same.
  await page.getByRole('button', { name: 'Actions for “Oar”' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Priority' }).press('ArrowRight');
  await page.getByRole('menuitemradio', { name: 'Urgent' }).press('Enter');
  await expect
    .poll(() => fixtures.storedTask(project, 'Oar'), { timeout })
    .toMatchObject({ priority: 'URGENT' });
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('By priority');
  await expect.poll(() => cards('Urgent'), { timeout }).toEqual(['Oar']);
  await page.getByRole('link', { name: 'List' }).click();
  await page.getByRole('rowheader', { name: /^Urgent/ }).waitFor();
});

test('the calendar shows tasks by due date, and a task is dragged to another day', async () => {
  const project = await fixtures.newProject('Dates', { TODO: ['Paint', 'Someday'] });
  const paint = await fixtures.storedTask(project, 'Paint');
  const { timezoneId, offsetMs } = daytimeZone();
  await using mine = await visitAs(ada, { timezoneId });
  const { page } = mine;
  const noon = (day: number) => new Date(Date.UTC(2031, 4, day, 12) - offsetMs).toISOString();
  await ada.api.tasks.update(
    { params: { id: paint?.id ?? '' }, body: { dueDate: noon(14) } },
    options,
  );
  await mine.goto(`/projects/${project.id}?view=calendar&month=2031-05`);
  await page.getByRole('heading', { name: 'May 2031' }).waitFor();
  const day = (name: string) => page.locator(`[data-day="${name}"]`);
  await day('2031-05-14').getByRole('link', { name: 'Paint' }).waitFor();
  await expectAccessibleInBoth(page);
  await waitForScripts(page);

  const target = await day('2031-05-20').boundingBox();
  if (!target) throw new Error('the day is not shown');
  await drag(page, page.getByRole('link', { name: 'Paint' }), {
    x: target.x + 40,
    y: target.y + 20,
  });
  await day('2031-05-20').getByRole('link', { name: 'Paint' }).waitFor();
  await expect
    .poll(() => fixtures.storedTask(project, 'Paint'), { timeout })
    .toMatchObject({
      dueDate: new Date(Date.UTC(2031, 4, 20, 23, 59, 59, 999) - offsetMs).toISOString(),
    });

  const other = page.getByRole('region', { name: 'No due date' });
  await other.getByRole('link', { name: 'Someday' }).waitFor();
  await other.getByRole('button', { name: 'Actions for “Someday”' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Due date' }).press('ArrowRight');
  await page.getByRole('menuitem', { name: 'Today' }).press('Enter');
  await other.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Next month' }).click();
  await page.getByRole('heading', { name: 'June 2031' }).waitFor();
  await page.getByRole('button', { name: 'Today' }).click();
  await page.getByRole('link', { name: 'Someday' }).click();
  await page.getByRole('button', { name: 'Due date: Due today' }).waitFor();
});
