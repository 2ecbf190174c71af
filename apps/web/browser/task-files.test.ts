// @module-tag slow

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { card, setUpBoard } from './testing/board.ts';
import { uploadFile } from './testing/library.ts';
import { unsentChanges } from './testing/offline.ts';
import { waitForPage, waitForScripts } from './testing/wait-for-page.ts';

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
  await waitForScripts(page);
  await drop(page, 'body', 'plan.txt');
  await uploadIntoCollection(page);
  const list = drawer.getByRole('list', { name: 'Files of this task' });
  await list.getByRole('link', { name: 'plan.txt' }).waitFor();
  await expectAccessibleInBoth(page);
  // The row is shown before it is stored.
  await expect.poll(() => attachedTo(id), { timeout }).toEqual(['plan.txt']);

  await list.getByRole('button', { name: 'Remove “plan.txt” from this task' }).press('Enter');
  await drawer.getByText('Drop files here').waitFor();
  await expect.poll(() => attachedTo(id), { timeout }).toEqual([]);

  await drawer.getByRole('button', { name: 'From the library' }).press('Enter');
  const picker = page.getByRole('dialog', { name: 'Add from the library' });
  await picker.getByRole('searchbox', { name: 'Search files' }).fill('nothing like it');
  await picker.getByText('No file has this name.').waitFor();
  await picker.getByRole('searchbox', { name: 'Search files' }).fill('plan');
  await picker.getByRole('button', { name: 'Attach “plan.txt”' }).press('Enter');
  await picker.getByText('Attached', { exact: true }).waitFor();
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
  await waitForScripts(page);
  await drop(page, `[data-card="${task?.id}"]`, 'mast.txt');
  await uploadIntoCollection(page);
  await expect.poll(() => attachedTo(task?.id ?? ''), { timeout }).toEqual(['mast.txt']);
  await page.getByText('1 file', { exact: true }).waitFor({ state: 'attached' });
});

/** Holds a file over the middle of an element, as from another program. */
async function holdOver(page: Page, element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('it has no place');
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const send = (type: 'dragEnter' | 'dragOver' | 'dragCancel', place = at) =>
    session.send('Input.dispatchDragEvent', {
      type,
      ...place,
      data: { items: [], files: [import.meta.filename], dragOperationsMask: 1 },
    });
  await send('dragEnter');
  await send('dragOver');
  return {
    moveTo: (place: typeof at) => send('dragOver', place),
    cancel: () => send('dragCancel'),
  };
}

test('the card or panel that a file is held over shows it, until the file is gone', async () => {
  const project = await fixtures.newProject('Held', { TODO: ['Oar', 'Rudder'] });
  const task = await fixtures.storedTask(project, 'Oar');
  await using mine = await visitAs(ada);
  const { page } = mine;
  await mine.goto(`/projects/${project.id}`);
  await waitForScripts(page);
  const marked = page.locator('[data-drop-over]');
  const overlay = page.getByText('Drop to upload');
  const held = await holdOver(page, card(page, 'Oar'));
  await expect
    .poll(() => marked.allTextContents(), { timeout })
    .toEqual([expect.stringContaining('Oar')]);
  expect(await overlay.count()).toBe(0);
  await expectAccessibleInBoth(page);
  const other = await card(page, 'Rudder').boundingBox();
  await held.moveTo({ x: (other?.x ?? 0) + 20, y: (other?.y ?? 0) + 10 });
  await expect
    .poll(() => marked.allTextContents(), { timeout })
    .toEqual([expect.stringContaining('Rudder')]);
  await held.moveTo({ x: 600, y: 20 });
  await overlay.waitFor();
  expect(await marked.count()).toBe(0);
  await held.cancel();
  await overlay.waitFor({ state: 'detached' });

  await mine.goto(`/projects/${project.id}?task=${task?.id}`);
  const drawer = page.getByRole('dialog', { name: /-1$/ });
  await drawer.getByText('Drop files here').waitFor();
  const over = await holdOver(page, drawer);
  await expect
    .poll(() => marked.getAttribute('data-drop-over'), { timeout })
    .toBe('Attach to “Oar”');
  expect(await marked.evaluate((element) => element.tagName)).toBe('DIALOG');
  await expectAccessibleInBoth(page);
  await over.cancel();
  await marked.waitFor({ state: 'detached' });
});

test('a file of the library is attached without a network, and survives a reload', async () => {
  const { id: collectionId } = await ada.api.collections.create(
    { body: { title: 'Charts' } },
    options,
  );
  const file = { name: 'chart.txt', type: 'text/plain', content: 'north', collectionId };
  await uploadFile(ada.api, { ...file, ...options });
  const project = await fixtures.newProject('Night', { TODO: ['Steer'] });
  const task = await fixtures.storedTask(project, 'Steer');
  const id = task?.id ?? '';
  await using mine = await visitAs(ada);
  const { page, context } = mine;
  mine.allowError(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await mine.goto(`/projects/${project.id}?task=${id}`);
  await waitForPage(page);
  await waitForScripts(page);
  const drawer = page.getByRole('dialog', { name: /-1$/ });
  const picker = page.getByRole('dialog', { name: 'Add from the library' });
  await drawer.getByRole('button', { name: 'From the library' }).press('Enter');
  await picker.getByRole('button', { name: 'Attach “chart.txt”' }).waitFor();

  await context.route(/\/api\/tasks\/[^/]+\/assets/, async (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  await picker.getByRole('button', { name: 'Attach “chart.txt”' }).press('Enter');
  await picker.getByText('Attached', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const row = drawer.getByRole('listitem').filter({ hasText: 'chart.txt' });
  await row.getByText('Not sent yet').waitFor({ timeout });
  await drawer.getByRole('heading', { name: 'Files (1)' }).waitFor();
  await expectAccessibleInBoth(page);
  expect(await attachedTo(id)).toEqual([]);
  await expect.poll(async () => (await unsentChanges(page)).length, { timeout }).toBe(1);
  expect(JSON.stringify(await unsentChanges(page))).not.toContain('X-Amz');

  await page.reload();
  await row.getByText('Not sent yet').waitFor({ timeout });
  await context.unrouteAll();
  await expect.poll(() => attachedTo(id), { timeout }).toEqual(['chart.txt']);
  await row.getByText('Not sent yet').waitFor({ state: 'detached', timeout });
  await row.getByRole('button', { name: 'Remove “chart.txt” from this task' }).waitFor();
});

test('a new file says without a network that it needs one', async () => {
  const project = await fixtures.newProject('Adrift', { TODO: ['Row'] });
  const task = await fixtures.storedTask(project, 'Row');
  await using mine = await visitAs(ada);
  const { page, context } = mine;
  mine.allowError(/ERR_INTERNET_DISCONNECTED/);
  await mine.goto(`/projects/${project.id}?task=${task?.id}`);
  await page.getByRole('dialog').getByText('Drop files here').waitFor();
  await waitForScripts(page);
  await context.setOffline(true);
  await drop(page, 'body', 'new.txt');
  await page.getByText('Uploading a file needs the network').waitFor();
  expect(await page.getByRole('dialog', { name: 'Where should they go?' }).count()).toBe(0);
});
