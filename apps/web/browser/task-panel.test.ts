// @module-tag slow

import { describe, expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { expectColumn, setUpBoard } from './testing/board.ts';
import { daytimeZone, endOfDayIn } from './testing/daytime.ts';

const timeout = 40_000;
const { ada, fixtures, organizationId, visitAs } = await setUpBoard();

const zone = daytimeZone();
const { timezoneId } = zone;

describe('the panel of a task', () => {
  test('is worked through by keyboard alone', async () => {
    const project = await fixtures.newProject('Keys', { TODO: ['Hull'] });
    const task = await fixtures.storedTask(project, 'Hull');
    await using mine = await visitAs(ada, { timezoneId });
    const { page } = mine;
    await mine.goto(`/projects/${project.id}?task=${task?.id}`);
    const drawer = page.getByRole('dialog', { name: 'KEY-1' });

    const status = drawer.getByRole('button', { name: /^Status:/ });
    await status.press('Enter');
    const statuses = drawer.getByRole('listbox', { name: 'Status' });
    await statuses.waitFor();
    await expectAccessibleInBoth(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Status: In progress' }).waitFor();
    // The focus returns to where it was.
    await expect.poll(() => status.evaluate((one) => one === document.activeElement)).toBe(true);
    // A letter leads to the next option that begins with it.
    await page.keyboard.press('Enter');
    await statuses.waitFor();
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Status: Done' }).waitFor();

    await drawer.getByRole('button', { name: /^Choose assignees:/ }).press('Enter');
    await drawer.getByRole('combobox', { name: 'Find people' }).waitFor();
    await page.keyboard.type('grac');
    await drawer.getByRole('option', { name: 'Grace Tester' }).waitFor();
    await page.keyboard.press('Enter');
    await drawer.getByRole('option', { name: 'Grace Tester', selected: true }).waitFor();
    // Closes the picker, not the panel.
    await page.keyboard.press('Escape');
    await drawer.getByRole('listbox').waitFor({ state: 'detached' });

    await drawer.getByRole('button', { name: 'Due date: None' }).press('Enter');
    const grid = drawer.getByRole('grid');
    await grid.waitFor();
    await expectAccessibleInBoth(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Due date: Due tomorrow' }).waitFor();
    await expect
      .poll(() => fixtures.storedTask(project, 'Hull'), { timeout })
      .toMatchObject({
        status: 'DONE',
        assignees: [{ displayName: 'Grace Tester' }],
        dueDate: endOfDayIn(zone, 1).toISOString(),
      });
    await drawer.getByRole('button', { name: /^Due date:/ }).press('Enter');
    await drawer.getByRole('button', { name: 'Clear due date' }).press('Enter');
    await drawer.getByRole('button', { name: 'Due date: None' }).waitFor();
    // Until then, the key would close the calendar.
    await grid.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  test('names near due dates by how far away they are', async () => {
    const project = await fixtures.newProject('Near');
    const params = { projectId: project.id };
    const options = { organizationId };
    for (const [title, days] of [
      ['Sail', 3],
      ['Mast', -2],
    ] as const) {
      const body = { title, dueDate: endOfDayIn(zone, days).toISOString() };
      await ada.api.tasks.create({ params, body }, options);
    }
    await using mine = await visitAs(ada, { timezoneId });
    await mine.goto(`/projects/${project.id}?view=list`);
    const row = (title: string) => mine.page.getByRole('row').filter({ hasText: title });
    const shown = (title: string) => row(title).locator('time').first().textContent();
    await expect.poll(() => shown('Sail'), { timeout }).toContain('in 3 days');
    await expect.poll(() => shown('Mast'), { timeout }).toContain('2 days ago');
  });

  test('is duplicated, and opened as a page of its own', async () => {
    const project = await fixtures.newProject('Pages', { TODO: ['Deck'] });
    const options = { organizationId };
    const label = await ada.api.labels.create({ body: { name: 'Wood', color: 'BROWN' } }, options);
    const task = await fixtures.storedTask(project, 'Deck');
    const params = { id: task?.id ?? '' };
    await ada.api.labels.set({ params, body: { labelIds: [label.id] } }, options);
    await ada.api.tasks.update(
      { params, body: { description: 'Oil it', priority: 'HIGH' } },
      options,
    );
    await using mine = await visitAs(ada, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = mine;
    await mine.goto(`/projects/${project.id}?task=${task?.id}`);
    await page.getByRole('button', { name: 'Actions for this task' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByText('“Deck” has been duplicated.').waitFor();
    await expect
      .poll(() => fixtures.storedTask(project, 'Copy of Deck'), { timeout })
      .toMatchObject({
        description: 'Oil it',
        priority: 'HIGH',
        status: 'TODO',
        labels: [{ name: 'Wood' }],
      });

    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied to clipboard.').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByRole('link', { name: 'Open as a page' }).click();
    await page.getByRole('heading', { level: 1, name: 'PAG-1' }).waitFor();
    await page.getByText('Oil it').waitFor();
    expect(page.url()).toBe(copied);
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: /^Status:/ }).click();
    await page.getByRole('option', { name: 'In progress' }).click();
    await page.getByRole('link', { name: 'Pages' }).click();
    await expectColumn(page, 'IN_PROGRESS', ['Deck']);
    await expectColumn(page, 'TODO', ['Copy of Deck']);
  });
});
