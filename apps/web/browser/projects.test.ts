// @module-tag slow

import { describe, expect, test } from 'vitest';
import { newAccount, newTeam } from './testing/accounts.ts';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { drag, expectColumn, setUpBoard } from './testing/board.ts';
import { visit } from './testing/visitor.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const { stack, browser, ada, grace, organizationId, fixtures, visitAs } = await setUpBoard();

describe('projects', () => {
  test('with names from right to left keep them in one piece in notifications and titles', async () => {
    const name = 'שלום (2)';
    const project = await fixtures.newProject(name, {});
    await using visitor = await visitAs(ada);
    const { page } = visitor;
    await visitor.goto(`/projects/${project.id}`);
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Project actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Archive');
    const notice = page.getByRole('log').getByText(`${name} has been archived.`);
    expect(await notice.locator('bdi').textContent()).toBe(name);
    await choose('Delete project');
    const title = page.getByRole('dialog').getByRole('heading', { name: `Delete ${name}?` });
    expect(await title.locator('bdi').textContent()).toBe(name);
  });

  test('are created, renamed, archived, reactivated, and deleted after typing their name', async () => {
    await using mine = await visitAs(ada);
    const { page } = mine;
    await mine.goto('/projects');
    await page.getByRole('button', { name: 'New project' }).first().click();
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('Give the project a name').waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Harvest Festival');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Harvest Festival', level: 1 }).waitFor();
    await page.getByText('No tasks yet').waitFor();
    await expectAccessibleInBoth(page);

    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Project actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Edit details');
    await page.getByRole('textbox', { name: 'Name' }).fill('Harvest');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Harvest', level: 1, exact: true }).waitFor();

    await choose('Archive');
    await page.getByText('can’t take new tasks').waitFor();
    expect(await page.getByRole('button', { name: /^Add task/ }).count()).toBe(0);
    await page.getByRole('log').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('can’t take new tasks').waitFor({ state: 'hidden' });

    await choose('Delete project');
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete project' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: /to confirm/ }).fill('Harvest');
    await confirm.click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    const { items } = await ada.api.projects.list({ query: { q: 'Harvest' } }, { organizationId });
    expect(items).toEqual([]);
  });

  test('keep what others change while one edits something else', async () => {
    const project = await fixtures.newProject('Regatta');
    const params = { id: project.id };
    await using mine = await visitAs(ada);
    const { page } = mine;
    await mine.goto(`/projects/${project.id}`);
    await page.getByRole('button', { name: 'Project actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit details' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('In July');
    await grace.api.projects.update({ params, body: { name: 'Sailing' } }, { organizationId });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Sailing', level: 1 }).waitFor();
    const stored = await ada.api.projects.get({ params }, { organizationId });
    expect(stored).toMatchObject({ name: 'Sailing', description: 'In July' });
  });

  test('offer nothing that adds a task once they are archived', async () => {
    const project = await fixtures.newProject('Old quay', { TODO: ['Repair', 'Paint'] });
    const params = { id: project.id };
    await ada.api.projects.update({ params, body: { status: 'ARCHIVED' } }, { organizationId });
    const task = await fixtures.storedTask(project, 'Repair');
    await using mine = await visitAs(ada);
    const { page } = mine;
    const duplicate = page.getByRole('menuitem', { name: 'Duplicate' });
    await mine.goto(`/projects/${project.id}`);
    await page.getByRole('button', { name: 'Actions for “Paint”' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete task' }).waitFor();
    expect(await duplicate.count()).toBe(0);
    await mine.goto(`/projects/${project.id}?task=${task?.id}`);
    await page.getByRole('button', { name: 'Actions for this task' }).click();
    await page.getByRole('menuitem', { name: 'Delete task' }).waitFor();
    expect(await duplicate.count()).toBe(0);
    await page.getByText('No comments yet').waitFor();
    await waitForScripts(page);
    expect(await page.getByRole('textbox', { name: 'Add a subtask' }).count()).toBe(0);
  });

  test('are reordered by menu and by dragging', async () => {
    const names = ['Order A', 'Order B', 'Order C'];
    for (const name of names) await fixtures.newProject(name);
    const stored = async () => {
      const { items } = await ada.api.projects.list({ query: { limit: 100 } }, { organizationId });
      return items.map(({ name }) => name).filter((name) => names.includes(name));
    };
    await using mine = await visitAs(ada);
    const { page } = mine;
    await mine.goto('/projects');
    await page.getByRole('button', { name: 'Actions for Order C' }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await expect.poll(stored, { timeout }).toEqual(['Order A', 'Order C', 'Order B']);
    const row = (name: string) => page.locator('[data-project]').filter({ hasText: name });
    const shown = async () => {
      const texts = await page.locator('[data-project]').allTextContents();
      return texts.flatMap((text) => names.find((name) => text.includes(name)) ?? []);
    };
    await expect.poll(shown, { timeout }).toEqual(['Order A', 'Order C', 'Order B']);
    // Dragging is loaded when the browser is idle, and a menu that closes swallows the first press.
    await waitForScripts(page);
    await page.getByRole('menu').waitFor({ state: 'detached' });
    const target = await row('Order A').boundingBox();
    if (!target) throw new Error('the other project is not shown');
    await drag(page, row('Order B').locator('[title="Drag Order B"]'), {
      x: target.x + 40,
      y: target.y + 4,
    });
    await expect.poll(stored, { timeout }).toEqual(['Order B', 'Order A', 'Order C']);
    await expectAccessibleInBoth(page);
  });
});

test('my tasks are grouped by due date and disappear when they are done', async () => {
  const owner = await newAccount(stack, 'Lin');
  const project = await owner.api.projects.create({ body: { name: 'Mine' } });
  const { id } = await owner.api.auth.user();
  const dayMs = 86_400_000;
  const due = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
  for (const [title, dueDate] of [
    ['Late', due(-2)],
    ['Far', due(40)],
    ['Whenever', null],
  ] as const) {
    const body = { title, dueDate, assigneeIds: [id] };
    await owner.api.tasks.create({ params: { projectId: project.id }, body });
  }
  await using mine = await visit({ browser, stack }, { as: owner });
  const { page } = mine;
  await mine.goto('/my-tasks');
  const group = (name: string) => page.getByRole('region', { name });
  await group('Overdue').getByRole('link', { name: 'Late' }).waitFor();
  await group('Later').getByRole('link', { name: 'Far' }).waitFor();
  await group('No due date').getByRole('link', { name: 'Whenever' }).waitFor();
  await expectAccessibleInBoth(page);

  await page.getByRole('button', { name: 'Mark “Late” as done' }).click();
  await group('Overdue').waitFor({ state: 'hidden' });
  const done = async () =>
    (await owner.api.tasks.list({ query: { status: 'DONE' } })).items.map(({ title }) => title);
  await expect.poll(done, { timeout }).toEqual(['Late']);
  await page.getByRole('log').getByRole('button', { name: 'Undo' }).click();
  await group('Overdue').waitFor();
  await expect.poll(done, { timeout }).toEqual([]);

  await page.getByRole('link', { name: 'Whenever' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor();
});

test('a viewer sees everything and no actions that change anything', async () => {
  const reader = await newAccount(stack, 'Vera');
  const team = await newTeam(stack, [ada, reader], 'Readers');
  const members = await ada.api.organizations.listMembers({ params: { id: team } });
  const { id: userId } = await reader.api.auth.user();
  const member = members.items.find((one) => one.userId === userId);
  await ada.api.organizations.updateMember({
    params: { id: team, memberId: member?.id ?? '' },
    body: { role: 'VIEWER' },
  });
  const options = { organizationId: team };
  const project = await ada.api.projects.create({ body: { name: 'Seen' } }, options);
  const params = { projectId: project.id };
  const task = await ada.api.tasks.create({ params, body: { title: 'Look' } }, options);

  await using visitor = await visit({ browser, stack }, { as: reader, organizationId: team });
  const { page } = visitor;
  await visitor.goto('/projects');
  await page.getByRole('link', { name: 'Seen' }).waitFor();
  expect(await page.getByRole('button', { name: /New project|Actions for/ }).count()).toBe(0);
  await visitor.goto(`/projects/${project.id}`);
  await expectColumn(page, 'TODO', ['Look']);
  expect(
    await page.getByRole('button', { name: /Add task|Actions for|Project actions/ }).count(),
  ).toBe(0);
  await visitor.goto(`/projects/${project.id}?task=${task.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByText('No comments.').waitFor();
  expect(await drawer.getByRole('textbox').count()).toBe(0);
  expect(await drawer.getByRole('combobox').count()).toBe(0);
});

test('shows “Not found” for a missing project', async () => {
  await using visitor = await visitAs(ada);
  visitor.allowError(/status of 404/);
  await visitor.goto('/projects/019aa4f5-4e6f-7071-b283-9e0f1a2b3c4d');
  await visitor.page.getByText('Not found').waitFor();
  await expectAccessibleInBoth(visitor.page);
});
