import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { card, setUpBoard } from './testing/board.ts';

const timeout = 40_000;
const { ada, fixtures, organizationId, visitAs } = await setUpBoard();
const options = { organizationId };

/** Drops a file on the element of a selector. */
async function drop(page: Page, selector: string, name: string): Promise<void> {
  await page.locator(selector).evaluate((element, fileName) => {
    const files = new DataTransfer();
    files.items.add(new File(['dropped'], fileName, { type: 'text/plain' }));
    for (const type of ['dragenter', 'dragover', 'drop']) {
      element.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files }),
      );
    }
  }, name);
}

/** Chooses the first collection for what was dropped or chosen. */
async function uploadIntoCollection(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Where should they go?' });
  await dialog.getByText('which will be attached to the task').waitFor();
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

const attachedTo = async (taskId: string) => {
  const { items } = await ada.api.taskAssets.list({ params: { id: taskId } }, options);
  return items.map(({ assetName }) => assetName);
};

test('files of a task are uploaded, chosen from the library, opened and removed', async () => {
  await ada.api.collections.create({ body: { title: 'Drawings' } }, options);
  const project = await fixtures.newProject('Files', { TODO: ['Hull'] });
  const task = await fixtures.storedTask(project, 'Hull');
  const id = task?.id ?? '';
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}?task=${id}`);
  const drawer = page.getByRole('dialog', { name: /-1$/ });
  await drawer.getByText('Drop files here').waitFor();
  await drop(page, 'body', 'plan.txt');
  await uploadIntoCollection(page);
  const list = drawer.getByRole('list', { name: 'Files of this task' });
  await list.getByRole('link', { name: 'plan.txt' }).waitFor();
  await expectAccessibleInBoth(page);
  expect(await attachedTo(id)).toEqual(['plan.txt']);

  await list.getByRole('button', { name: 'Remove “plan.txt” from this task' }).press('Enter');
  await drawer.getByText('Drop files here').waitFor();
  await expect.poll(() => attachedTo(id), { timeout }).toEqual([]);

  await drawer.getByRole('button', { name: 'From the library' }).press('Enter');
  const picker = page.getByRole('dialog', { name: 'Add from the library' });
  await picker.getByRole('searchbox', { name: 'Search files' }).fill('nothing like it');
  await picker.getByText('No file has this name.').waitFor();
  await picker.getByRole('searchbox', { name: 'Search files' }).fill('plan');
  await picker.getByRole('button', { name: 'Attach “plan.txt”' }).press('Enter');
  await picker.getByText('Attached').waitFor();
  await expectAccessibleInBoth(page);
  await page.keyboard.press('Escape');
  await picker.waitFor({ state: 'detached' });
  await list.getByRole('link', { name: 'plan.txt' }).press('Enter');
  await page.waitForURL(/\/assets\//);
});

test('a file that is dropped on a card is attached to its task', async () => {
  const project = await fixtures.newProject('Cards', { TODO: ['Sail', 'Mast'] });
  const task = await fixtures.storedTask(project, 'Mast');
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}`);
  await card(page, 'Mast').waitFor();
  await drop(page, `[data-card="${task?.id}"]`, 'mast.txt');
  await uploadIntoCollection(page);
  await expect.poll(() => attachedTo(task?.id ?? ''), { timeout }).toEqual(['mast.txt']);
  await page.getByText('1 file', { exact: true }).waitFor({ state: 'attached' });
});
