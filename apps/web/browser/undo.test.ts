// @module-tag slow

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectColumn, setUpBoard } from './testing/board.ts';
import type { Visitor } from './testing/visitor.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const { ada, fixtures, visitAs } = await setUpBoard();

/** Deletes the task “One” of a new project, at a time that the test lets pass. */
async function deleteTask(name: string) {
  const project = await fixtures.newProject(name, { TODO: ['One', 'Two'] });
  const visitor: Visitor = await visitAs(ada);
  const { page } = visitor;
  await visitor.goto(`/projects/${project.id}`);
  await waitForScripts(page);
  await page.clock.install();
  await page.getByRole('button', { name: 'Actions for “One”' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete task' }).press('Enter');
  await notice(page).waitFor();
  return { project, visitor, page };
}

const notice = (page: Page) => page.getByText('“One” has been deleted.');
const undo = (page: Page) => page.getByRole('log').getByRole('button', { name: 'Undo' });

test('a deletion can be undone for a while, however often dialogs open', async () => {
  const { project, visitor, page } = await deleteTask('Dialogs');
  await using _ = visitor;
  await page.clock.fastForward(8000);
  await page.locator('[data-card]').filter({ hasText: 'Two' }).click();
  await page.getByRole('dialog').getByRole('log').getByText('“One” has been deleted.').waitFor();
  expect(await fixtures.storedTitles(project, 'TODO')).toEqual(['One', 'Two']);
  await page.clock.fastForward(5000);
  await notice(page).waitFor({ state: 'detached' });
  await expect.poll(() => fixtures.storedTitles(project, 'TODO'), { timeout }).toEqual(['Two']);
});

test('a deletion can be undone as long as its notification is pointed at or focused', async () => {
  const { project, visitor, page } = await deleteTask('Patience');
  await using _ = visitor;
  await notice(page).hover();
  await page.clock.fastForward(60_000);
  await undo(page).focus();
  await page.mouse.move(0, 0);
  await page.clock.fastForward(60_000);
  expect(await fixtures.storedTitles(project, 'TODO')).toEqual(['One', 'Two']);
  await page.keyboard.press('Enter');
  await page.getByText('The deletion has been undone.').waitFor();
  await expectColumn(page, 'TODO', ['One', 'Two']);

  await page.getByRole('button', { name: 'Actions for “One”' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete task' }).press('Enter');
  await notice(page).hover();
  await page.clock.fastForward(60_000);
  await page.mouse.move(0, 0);
  await page.clock.fastForward(13_000);
  await notice(page).waitFor({ state: 'detached' });
  await expect.poll(() => fixtures.storedTitles(project, 'TODO'), { timeout }).toEqual(['Two']);
});

test('a deletion that has been sent is not said to be undone', async () => {
  const { project, visitor, page } = await deleteTask('Too late');
  await using _ = visitor;
  await notice(page).hover();
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'DELETE'),
    page.evaluate(`dispatchEvent(new Event('pagehide'))`),
  ]);
  await undo(page).click();
  await page.getByText('That change had been sent already.').waitFor();
  expect(await page.getByText('The deletion has been undone.').count()).toBe(0);
  expect(await fixtures.storedTitles(project, 'TODO')).toEqual(['Two']);
  await expectColumn(page, 'TODO', ['Two']);
});
