// @module-tag slow

import { openAsBlob } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { expectColumn, setUpBoard } from './testing/board.ts';
import { daytimeZone } from './testing/daytime.ts';
import { picture, uploadFile } from './testing/library.ts';
import {
  everythingKept,
  keptPaths,
  keptText,
  unsentChanges,
  waitForKept,
  waitForWorker,
} from './testing/offline.ts';
import type { Visitor } from './testing/visitor.ts';
import { waitForPage, waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const { timezoneId } = daytimeZone();
const { ada, grace, organizationId, fixtures, visitAs } = await setUpBoard();

const bar = (page: Page) => page.locator('main').getByRole('status').first();

async function visitWithWorker(as = ada): Promise<Visitor> {
  const visitor = await visitAs(as, { serviceWorkers: 'allow', timezoneId });
  visitor.allowError(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  return visitor;
}

/** Creates a project with a task that has a comment. */
async function newDiscussion(name: string, comment: string) {
  const project = await fixtures.newProject(name, { TODO: ['One', 'Two'] });
  const task = await fixtures.storedTask(project, 'One');
  const taskId = task?.id ?? '';
  await ada.api.comments.create(
    { params: { taskId }, body: { body: comment } },
    { organizationId },
  );
  return { project, taskId, path: `/projects/${project.id}?task=${taskId}` };
}

/** Opens a new discussion in a browser, and waits until it is kept for times without a network. */
async function openKeptDiscussion(name: string, comment: string) {
  const discussion = await newDiscussion(name, comment);
  const visitor = await visitWithWorker();
  const { page, context } = visitor;
  await visitor.goto(discussion.path);
  await page.getByRole('dialog').getByText(comment).waitFor();
  await waitForWorker(page);
  await waitForKept(page, comment);
  return { ...discussion, visitor, page, context };
}

/** Opens the board of a new project with two tasks, and waits until it is kept. */
async function openKeptBoard(name: string) {
  const project = await fixtures.newProject(name, { TODO: ['One', 'Two'] });
  const visitor = await visitWithWorker();
  const { page, context } = visitor;
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['One', 'Two']);
  await waitForWorker(page);
  await waitForScripts(page);
  await waitForKept(page, '"Two');
  return { project, visitor, page, context };
}

async function openWaiting(page: Page): Promise<Locator> {
  await bar(page)
    .getByRole('button', { name: /to be sent$/ })
    .click();
  return page.getByRole('dialog', { name: 'Waiting to be sent' });
}

async function moveToDone(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for “${title}”` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Done' }).press('Enter');
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account menu for/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout });
}

test('without a network, my tasks open with the names of their projects', async () => {
  const project = await fixtures.newProject('Slipway');
  const body = { title: 'Caulk', assigneeIds: [(await ada.api.auth.user()).id] };
  await ada.api.tasks.create({ params: { projectId: project.id }, body }, { organizationId });
  await using visitor = await visitWithWorker();
  const { page, context } = visitor;
  await visitor.goto('/my-tasks');
  const place = page.getByText(`${project.key}-1 · Slipway`);
  await place.waitFor();
  await waitForWorker(page);
  await waitForScripts(page);
  await waitForKept(page, 'Caulk');
  await waitForKept(page, '\\"all\\"');
  await context.setOffline(true);
  await page.reload();
  await place.waitFor({ timeout });
  expect(await page.getByRole('link', { name: 'Caulk' }).count()).toBe(1);
});

test('without a network, a reload and a link in a new tab open what was known, as of when', async () => {
  const { project, visitor, page, context } = await openKeptDiscussion(
    'Harbour',
    'Seen from the pier',
  );
  await using _ = visitor;
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('dialog').getByText('Seen from the pier').waitFor({ timeout });
  await expectColumn(page, 'TODO', ['One', 'Two']);
  await bar(page).getByText('Offline').waitFor();
  await bar(page)
    .getByText(/As of \d/)
    .waitFor();
  await expectAccessibleInBoth(page);

  const tab = await visitor.newTab(`/projects/${project.id}`);
  await expectColumn(tab, 'TODO', ['One', 'Two']);
  await tab.close();
  await fixtures.newTask(project, 'Three');
  await context.setOffline(false);
  await expectColumn(page, 'TODO', ['One', 'Two', 'Three']);
  await bar(page).getByText('Offline').waitFor({ state: 'detached', timeout });
});

test('the preview of a file that was opened without a network is filled when it is back', async () => {
  const options = { organizationId };
  const { id } = await ada.api.collections.create({ body: { title: 'Quay' } }, options);
  const place = { ...options, collectionId: id };
  const photo = { name: 'sky.jpg', type: 'image/jpeg', content: await openAsBlob(picture) };
  const text = { name: 'notes.txt', type: 'text/plain', content: 'Tide tables' };
  const files = [
    await uploadFile(ada.api, { ...photo, ...place }),
    await uploadFile(ada.api, { ...text, ...place }),
  ];
  await using visitor = await visitWithWorker();
  const { page, context } = visitor;
  const preview = { name: /^Preview of / };
  const image = page.getByRole('img', preview);
  const words = page.getByRole('region', preview);
  const shown = async () =>
    (await words.count()) > 0
      ? words.textContent()
      : image.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth);
  for (const [index, content] of [1280, 'Tide tables'].entries()) {
    const { id: assetId = '', assetName = '' } = files[index] ?? {};
    await visitor.goto(`/assets/${assetId}`);
    await expect.poll(shown, { timeout }).toBe(content);
    await waitForWorker(page);
    await waitForScripts(page);
    await waitForKept(page, `"get\\",{\\"params\\":{\\"id\\":\\"${assetId}`);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: assetName }).waitFor({ timeout });
    await waitForScripts(page);
    await context.setOffline(false);
    await expect.poll(shown, { timeout }).toBe(content);
  }
});

test('a page that was never loaded says so, and is filled when the network is back', async () => {
  const { project } = await newDiscussion('Unseen', 'Behind the hill');
  await using visitor = await visitWithWorker();
  const { page, context } = visitor;
  await visitor.goto('/projects');
  await page.getByRole('link', { name: 'Unseen' }).waitFor();
  await waitForWorker(page);
  await waitForKept(page, 'Unseen');
  await context.setOffline(true);
  await visitor.goto(`/projects/${project.id}`);
  await page.locator('main').getByText('You’re offline').first().waitFor({ timeout });
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'Projects' }).first().click();
  await page.getByRole('link', { name: 'Unseen' }).click();
  await page.locator('main').getByText('You’re offline').first().waitFor({ timeout });
  await context.setOffline(false);
  await expectColumn(page, 'TODO', ['One', 'Two']);
});

test('the worker serves pages only, and keeps nothing of the API', async () => {
  await using visitor = await visitWithWorker();
  const { page, context } = visitor;
  visitor.allowError(/status of 404/);
  await visitor.goto('/projects');
  await waitForPage(page);
  await waitForWorker(page);
  const foreign = (await keptPaths(page)).filter(
    (path) => !/^\/(_app\/[\w.-]+|icon\.svg|theme\.js|)$/.test(path),
  );
  expect(foreign).toEqual([]);
  for (const path of ['/openapi.json', '/api/nothing', '/health']) {
    const response = await page.goto(path);
    expect(response?.headers()['content-type'], path).toContain('application/json');
  }
  expect((await page.goto('/docs'))?.headers()['content-type']).toContain('text/html');
  expect(await page.locator('#root').count()).toBe(0);
  await context.setOffline(true);
  for (const path of ['/docs/other', '/api/nothing', '/s/nothing', '/health/other']) {
    // The browser's own error page would interrupt the next navigation of the tab.
    const tab = await context.newPage();
    await expect(tab.goto(path), path).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
    await tab.close();
  }
  await visitor.goto('/projects');
  await bar(page).getByText('Offline').waitFor({ timeout });
});

test('signing out wipes all of it in every tab, and the next user sees nothing', async () => {
  const { project, path } = await newDiscussion('Private cove', 'For our eyes only');
  await using visitor = await visitWithWorker();
  const { page, context } = visitor;
  visitor.allowError(/status of 40\d/);
  await visitor.goto(path);
  await page.getByRole('dialog').getByText('For our eyes only').waitFor();
  await waitForWorker(page);
  const other = await visitor.newTab(`/projects/${project.id}`);
  await expectColumn(other, 'TODO', ['One', 'Two']);
  await waitForScripts(other);
  await waitForKept(page, 'For our eyes only');
  await page.keyboard.press('Escape');
  await signOut(page);
  await other.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout });
  await expect.poll(() => everythingKept(page), { timeout }).toEqual([]);

  await page.getByLabel('Email').fill(grace.email);
  await page.getByLabel('Password').fill(grace.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Account menu for Grace/ }).waitFor({ timeout });
  await waitForScripts(page);
  await other.close();
  await context.setOffline(true);
  await visitor.goto(path);
  await page.locator('main').getByText('You’re offline').first().waitFor({ timeout });
  expect(await page.getByText('For our eyes only').count()).toBe(0);
  expect(await keptText(page)).not.toContain('For our eyes only');
});

test('what another session has left is never shown', async () => {
  const { visitor, page, context } = await openKeptDiscussion(
    'Left behind',
    'Forgotten on the quay',
  );
  await using _ = visitor;
  await page.evaluate(`localStorage.setItem('svc_session', 'another')`);
  await context.setOffline(true);
  await page.reload();
  await page.locator('main').getByText('You’re offline').first().waitFor({ timeout });
  expect(await page.getByText('Forgotten on the quay').count()).toBe(0);
  await expect.poll(() => keptText(page), { timeout }).not.toContain('Forgotten on the quay');
});

test('a waiting change is taken back, and nothing of it is sent', async () => {
  const { project, visitor, page, context } = await openKeptBoard('Second thoughts');
  await using _ = visitor;
  await context.setOffline(true);
  await moveToDone(page, 'One');
  await moveToDone(page, 'Two');
  await expectColumn(page, 'DONE', ['Two', 'One']);
  const list = await openWaiting(page);
  await list.getByRole('listitem').nth(1).waitFor();
  await expectAccessibleInBoth(page);
  await list.getByRole('button', { name: 'Undo: Move “One”' }).click();
  await expectColumn(page, 'TODO', ['One']);
  await expectColumn(page, 'DONE', ['Two']);
  await page.keyboard.press('Escape');
  await bar(page).getByText('1 change waits to be sent').waitFor();
  await context.setOffline(false);
  await expect.poll(() => fixtures.storedTitles(project, 'DONE'), { timeout }).toEqual(['Two']);
  await bar(page).getByText('1 change waits').waitFor({ state: 'detached', timeout });
  expect(await fixtures.storedTitles(project, 'TODO')).toEqual(['One']);
  await expectColumn(page, 'TODO', ['One']);
});

test('after a reload without a network, waiting changes are shown and can be taken back', async () => {
  const { project, visitor, page, context } = await openKeptBoard('Third thoughts');
  await using _ = visitor;
  await context.setOffline(true);
  await moveToDone(page, 'One');
  await moveToDone(page, 'Two');
  await bar(page).getByText('2 changes wait to be sent').waitFor();
  await expect.poll(() => unsentChanges(page), { timeout }).toHaveLength(2);
  await page.reload();
  await expectColumn(page, 'DONE', ['Two', 'One']);
  const list = await openWaiting(page);
  await list.getByRole('button', { name: 'Undo: Move “Two”' }).click();
  await expectColumn(page, 'TODO', ['Two']);
  await expectColumn(page, 'DONE', ['One']);
  await page.keyboard.press('Escape');
  await context.setOffline(false);
  await expect.poll(() => fixtures.storedTitles(project, 'DONE'), { timeout }).toEqual(['One']);
  await bar(page).getByText('waits to be sent').waitFor({ state: 'detached', timeout });
  expect(await fixtures.storedTitles(project, 'TODO')).toEqual(['Two']);
});

test('comments and tasks are changed and deleted without a network, and each is sent once', async () => {
  const { project, taskId, path } = await newDiscussion('Far out', 'First draft');
  const params = { taskId };
  await ada.api.comments.create({ params, body: { body: 'Not needed' } }, { organizationId });
  await using visitor = await visitWithWorker();
  const { page, context } = visitor;
  await visitor.goto(path);
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Not needed').waitFor();
  await waitForWorker(page);
  await waitForScripts(page);
  await waitForKept(page, 'Not needed');
  await context.setOffline(true);
  const menuOf = (text: string) =>
    drawer
      .getByRole('listitem')
      .filter({ hasText: text })
      .getByRole('button', { name: /^Actions for/ });
  await menuOf('First draft').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await drawer.getByRole('textbox', { name: 'Edit comment' }).fill('Final draft');
  await page.keyboard.press('Control+Enter');
  await drawer.getByText('Final draft').waitFor();
  await drawer.getByText('Not sent yet').first().waitFor();
  await menuOf('Not needed').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await drawer.getByText('Not needed').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.locator('[data-card]').filter({ hasText: 'Two' }).click();
  await drawer.getByText('You’re offline').waitFor();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.reload();
  await page.locator('[data-card]').filter({ hasText: 'One' }).click();
  await drawer.getByText('Final draft').waitFor({ timeout });
  expect(await drawer.getByText('Not needed').count()).toBe(0);

  const sent: string[] = [];
  context.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.method());
  });
  await context.setOffline(false);
  const stored = async () =>
    (await ada.api.comments.list({ params }, { organizationId })).items.map(({ body }) => body);
  await expect.poll(stored, { timeout }).toEqual(['Final draft']);
  await drawer.getByText('Not sent yet').first().waitFor({ state: 'detached', timeout });
  await page.getByRole('button', { name: 'Actions for this task' }).click();
  await context.setOffline(true);
  await page.getByRole('menuitem', { name: 'Delete task' }).click();
  await expectColumn(page, 'TODO', ['Two']);
  await bar(page).getByText('1 change waits to be sent').waitFor();
  await context.setOffline(false);
  await expect.poll(() => fixtures.storedTitles(project, 'TODO'), { timeout }).toEqual(['Two']);
  expect(sent.filter((method) => method !== 'POST')).toEqual(['PATCH', 'DELETE', 'DELETE']);
});

test('a session that ended meanwhile is refused on return, and everything kept is wiped', async () => {
  const { visitor, page, context } = await openKeptDiscussion(
    'Locked door',
    'Only while signed in',
  );
  await using _ = visitor;
  visitor.allowError(/status of 401/);
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('dialog').getByText('Only while signed in').waitFor({ timeout });
  await ada.api.auth.confirm({ body: { password: ada.password } });
  await ada.api.sessions.endOthers();
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout });
  await page.getByText('Your session has ended.').waitFor();
  await expect.poll(() => everythingKept(page), { timeout }).toEqual([]);
});

test('a server that can’t be reached leaves what was known, as of when', async () => {
  const { visitor, page, context } = await openKeptDiscussion('Storm', 'Before the storm');
  await using _ = visitor;
  await context.route(/\/api\//, (route) => route.abort());
  await page.reload();
  await page.getByRole('dialog').getByText('Before the storm').waitFor({ timeout });
  await bar(page).getByText('The server can’t be reached').waitFor({ timeout });
  await bar(page)
    .getByText(/As of \d/)
    .waitFor();
  expect(await page.getByText('Before the storm').isVisible()).toBe(true);
  await context.unrouteAll();
  await bar(page)
    .getByText('The server can’t be reached')
    .waitFor({ state: 'detached', timeout: 80_000 });
});
