// @module-tag slow

import type { Task } from '@atelier/client';
import { expect, inject, test } from 'vitest';
import { newAccount, newTeam, type Account } from './testing/accounts.ts';
import { card, drag, setUpBoard } from './testing/board.ts';
import { visit } from './testing/visitor.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const stack = inject('stack');
const { browser, ada, grace, organizationId, fixtures, visitAs } = await setUpBoard();
const options = { organizationId };
const idOf = async ({ api }: Account) => (await api.auth.user()).id;
const both = await Promise.all([ada, grace].map(idOf));

const namesOf = (task: Task | undefined) =>
  task?.assignees.map(({ displayName }) => displayName).toSorted();

test('changes of assignees keep the others while the members aren’t known', async () => {
  const project = await fixtures.newProject('Slow list', { TODO: ['Mast', 'Oar'] });
  for (const [title, assigneeIds] of [
    ['Mast', both],
    ['Oar', both.slice(0, 1)],
  ] as const) {
    const { id = '' } = (await fixtures.storedTask(project, title)) ?? {};
    await ada.api.tasks.assign({ params: { id }, body: { assigneeIds } }, options);
  }
  await using visitor = await visitAs(ada);
  const { page } = visitor;
  await page.route(/\/members\?/, () => {});
  await visitor.goto(`/projects/${project.id}?view=list`);
  await page.getByRole('button', { name: 'Actions for “Mast”' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const assignees = async (title: string) => namesOf(await fixtures.storedTask(project, title));
  await expect
    .poll(() => assignees('Copy of Mast'), { timeout })
    .toEqual(['Ada Tester', 'Grace Tester']);

  for (const title of ['Mast', 'Oar']) {
    await page.getByRole('checkbox', { name: `Select “${title}”` }).check();
  }
  const bar = page.getByRole('group', { name: 'Change the selected tasks' });
  await bar.getByRole('button', { name: 'Assignees' }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'Ada Tester' }).click();
  await expect.poll(() => assignees('Oar'), { timeout }).toEqual([]);
  await expect.poll(() => assignees('Mast'), { timeout }).toEqual(['Grace Tester']);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Copy of Mast' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: /^Choose assignees/ }).click();
  await drawer.getByRole('option', { name: 'Grace Tester' }).click();
  await expect.poll(() => assignees('Copy of Mast'), { timeout }).toEqual(['Ada Tester']);
});

test('an import waits until the members are known', async () => {
  const project = await fixtures.newProject('Waiting list');
  await using visitor = await visitAs(ada);
  const { page } = visitor;
  const released = Promise.withResolvers<void>();
  await page.route(/\/members\?/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await visitor.goto(`/projects/${project.id}`);
  await page.getByRole('button', { name: 'Project actions' }).click();
  await page.getByRole('menuitem', { name: 'Import tasks from CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import tasks' });
  await dialog.getByLabel('CSV file').setInputFiles({
    name: 'tasks.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Title,Assignees\nPlane,grace tester'),
  });
  await dialog.getByText('Loading…').waitFor({ state: 'attached' });
  const add = dialog.getByRole('button', { name: 'Add 1 task' });
  expect(await add.count()).toBe(0);
  released.resolve();
  await add.click();
  await expect
    .poll(async () => namesOf(await fixtures.storedTask(project, 'Plane')), { timeout })
    .toEqual(['Grace Tester']);
});

test('a card with a suspended member is dragged to another assignee', async () => {
  const [ann, ben, cleo] = await Promise.all([
    newAccount(stack, 'Ann'),
    newAccount(stack, 'Ben'),
    newAccount(stack, 'Cleo'),
  ]);
  const teamId = await newTeam(stack, [ann, ben, cleo]);
  const inTeam = { organizationId: teamId };
  const [annId = '', benId = '', cleoId = ''] = await Promise.all([ann, ben, cleo].map(idOf));
  const project = await ann.api.projects.create({ body: { name: 'Crew' } }, inTeam);
  const params = { projectId: project.id };
  for (const body of [
    { title: 'Sail', assigneeIds: [annId, benId] },
    { title: 'Oar', assigneeIds: [cleoId] },
  ]) {
    await ann.api.tasks.create({ params, body }, inTeam);
  }
  const { items } = await ann.api.organizations.listMembers({ params: { id: teamId } });
  const memberId = items.find(({ userId }) => userId === benId)?.id ?? '';
  await ann.api.organizations.updateMember({
    params: { id: teamId, memberId },
    body: { status: 'SUSPENDED' },
  });
  await using visitor = await visit(
    { browser, stack },
    { as: ann, organizationId: teamId, colorScheme: 'light' },
  );
  const { page } = visitor;
  await visitor.goto(`/projects/${project.id}?group=assignee`);
  const column = (name: string) => page.getByRole('region', { name });
  await column('Ann Tester').getByText('Sail').waitFor();
  await page
    .getByRole('combobox', { name: 'Assignee' })
    .getByRole('option', { name: 'Cleo Tester' })
    .waitFor({ state: 'attached' });
  await waitForScripts(page);
  const target = await column('Cleo Tester').boundingBox();
  if (!target) throw new Error('the column is not shown');
  await drag(page, column('Ann Tester').locator(card(page, 'Sail')), {
    x: target.x + 60,
    y: target.y + 90,
  });
  const stored = async () => {
    const tasks = await ann.api.tasks.listInProject({ params, query: { q: 'Sail' } }, inTeam);
    return namesOf(tasks.items[0]);
  };
  await expect.poll(stored, { timeout }).toEqual(['Cleo Tester']);
});
