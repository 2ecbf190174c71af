// @module-tag slow

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { expectColumn, setUpBoard } from './testing/board.ts';

const timeout = 40_000;
const { ada, fixtures, organizationId, visitAs } = await setUpBoard();

test('tasks are exported without formulas, and imported after a look at what will happen', async () => {
  const project = await fixtures.newProject('Papers', {
    TODO: ['=HYPERLINK("https://x.example")'],
  });
  const other = await fixtures.newProject('Empty');
  const body = { name: 'Wood', color: 'BROWN' } as const;
  await ada.api.labels.create({ body }, { organizationId });
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}`);
  await page.getByRole('button', { name: 'Project actions' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export tasks as CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Papers tasks.csv');
  const exported = await readFile(await download.path(), 'utf8');
  expect(exported).toContain('PAP-1,"\'=HYPERLINK(""https://x.example"")"');

  await mine.goto(`/projects/${other.id}`);
  await page.getByRole('button', { name: 'Project actions' }).click();
  await page.getByRole('menuitem', { name: 'Import tasks from CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import tasks' });
  const choose = (text: string) =>
    dialog
      .getByLabel('CSV file')
      .setInputFiles({ name: 'tasks.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose('Name\nOne');
  await dialog.getByText('The file has no column “Title”.').waitFor();
  await choose(
    'Title,Status,Priority,Labels,Assignees,Due date\n' +
      'Plane,In progress,High,Wood,grace tester,2031-05-17\n' +
      'Saw,Someday,,,,\n' +
      ',Done,,,,\n',
  );
  await dialog.getByText('2 tasks will be added').waitFor();
  await dialog.getByText('Line 3: “Someday” is no status.').waitFor();
  await dialog.getByText('Line 4: It has no title.').waitFor();
  await expectAccessibleInBoth(page);
  expect(await fixtures.storedTask(other, 'Plane')).toBeUndefined();
  await dialog.getByRole('button', { name: 'Add 2 tasks' }).click();
  await expectColumn(page, 'IN_PROGRESS', ['Plane']);
  await expectColumn(page, 'TODO', ['Saw']);
  await expect
    .poll(() => fixtures.storedTask(other, 'Plane'), { timeout })
    .toMatchObject({
      status: 'IN_PROGRESS',
      priority: 'HIGH',
      labels: [{ name: 'Wood' }],
      assignees: [{ displayName: 'Grace Tester' }],
      dueDate: new Date(2031, 4, 17, 23, 59, 59, 999).toISOString(),
    });
  await expect.poll(() => fixtures.storedTitles(other, 'TODO'), { timeout }).toEqual(['Saw']);
});
