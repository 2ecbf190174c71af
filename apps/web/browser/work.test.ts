import type { Project, Task, TaskStatus } from '@atelier/client';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newAccount, newTeam, type Account } from './testing/accounts.ts';
import { expectAccessible } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { visit, type Visitor } from './testing/visitor.ts';

const stack = inject('stack');
const timeout = 40_000;
let browser: Browser;
let ada: Account;
let grace: Account;
let organizationId: string;
beforeAll(async () => {
  browser = await launchChromium();
  [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
  organizationId = await newTeam(stack, [ada, grace]);
});
afterAll(() => browser?.close());

const visitAs = (as: Account): Promise<Visitor> =>
  visit({ browser, stack }, { as, organizationId, colorScheme: 'light' });

async function newProject(name: string, tasks: Partial<Record<TaskStatus, string[]>> = {}) {
  const project = await ada.api.projects.create({ body: { name } }, { organizationId });
  for (const status of ['BACKLOG', 'TODO', 'IN_PROGRESS', 'DONE'] as const) {
    for (const title of tasks[status] ?? []) {
      const params = { projectId: project.id };
      await ada.api.tasks.create({ params, body: { title, status } }, { organizationId });
    }
  }
  return project;
}

/** What the service has stored: the titles of a column, in their order. */
async function storedTitles({ id }: Project, status: TaskStatus): Promise<string[]> {
  const { items } = await ada.api.tasks.listInProject(
    { params: { projectId: id }, query: { status, sort: 'position', limit: 100 } },
    { organizationId },
  );
  return items.map(({ title }) => title);
}

async function storedTask(project: Project, title: string): Promise<Task | undefined> {
  const { items } = await ada.api.tasks.listInProject(
    { params: { projectId: project.id }, query: { q: title } },
    { organizationId },
  );
  return items[0];
}

const column = (page: Page, status: TaskStatus): Locator =>
  page.locator(`[data-column="${status}"]`);
const card = (page: Page, title: string): Locator =>
  page.locator('[data-card]').filter({ hasText: title });
const shownTitles = (page: Page, status: TaskStatus): Promise<string[]> =>
  column(page, status).locator('[data-card]').allTextContents();
const expectColumn = (page: Page, status: TaskStatus, titles: readonly string[]) =>
  expect.poll(() => shownTitles(page, status), { timeout }).toEqual(titles);

/** Drags by the mouse, in steps as a hand does. */
async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  const start = await from.boundingBox();
  if (!start) throw new Error('what should be dragged is not shown');
  const hold = { x: start.x + Math.min(20, start.width / 2), y: start.y + start.height / 2 };
  await page.mouse.move(hold.x, hold.y);
  await page.mouse.down();
  await page.mouse.move(hold.x + 10, hold.y + 10, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await page.mouse.move(to.x, to.y + 1);
  await page.mouse.up();
}

async function expectAccessibleInBoth(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
}

describe('a board that two people look at', () => {
  test('a card that is dragged beside another one goes there in both browsers', async () => {
    const project = await newProject('Drag', {
      TODO: ['One', 'Two', 'Three'],
      IN_PROGRESS: ['Four', 'Five'],
    });
    await using mine = await visitAs(ada);
    await using theirs = await visitAs(grace);
    await Promise.all([mine, theirs].map((one) => one.goto(`/projects/${project.id}`)));
    await expectColumn(mine.page, 'TODO', ['One', 'Two', 'Three']);
    await expectColumn(theirs.page, 'TODO', ['One', 'Two', 'Three']);
    await mine.page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);

    const target = await card(mine.page, 'Five').locator('xpath=ancestor::li').boundingBox();
    if (!target) throw new Error('the other card is not shown');
    await drag(mine.page, card(mine.page, 'One'), { x: target.x + 20, y: target.y + 2 });
    await expectColumn(mine.page, 'IN_PROGRESS', ['Four', 'One', 'Five']);
    await expectColumn(theirs.page, 'IN_PROGRESS', ['Four', 'One', 'Five']);
    await expectColumn(theirs.page, 'TODO', ['Two', 'Three']);
    expect(await storedTitles(project, 'IN_PROGRESS')).toEqual(['Four', 'One', 'Five']);

    const empty = await column(mine.page, 'IN_REVIEW').boundingBox();
    if (!empty) throw new Error('the empty column is not shown');
    await drag(mine.page, card(mine.page, 'Two'), { x: empty.x + 60, y: empty.y + 70 });
    await expectColumn(theirs.page, 'IN_REVIEW', ['Two']);
    expect(await storedTitles(project, 'IN_REVIEW')).toEqual(['Two']);
  });

  test('keys move a card, the focus stays on it, and those who listen hear where it is', async () => {
    const project = await newProject('Keys', { TODO: ['One', 'Two'], IN_PROGRESS: ['Three'] });
    await using mine = await visitAs(ada);
    await using theirs = await visitAs(grace);
    await Promise.all([mine, theirs].map((one) => one.goto(`/projects/${project.id}`)));
    await expectColumn(mine.page, 'TODO', ['One', 'Two']);
    await expectColumn(theirs.page, 'TODO', ['One', 'Two']);

    const focused = () => mine.page.locator('[data-card]:focus').allTextContents();
    await card(mine.page, 'One').focus();
    await mine.page.keyboard.press('ArrowDown');
    expect(await focused()).toEqual(['Two']);
    await mine.page.keyboard.press('Shift+ArrowUp');
    await expectColumn(mine.page, 'TODO', ['Two', 'One']);
    await expect.poll(focused, { timeout }).toEqual(['Two']);
    await mine.page.keyboard.press('Shift+ArrowRight');
    await expectColumn(mine.page, 'IN_PROGRESS', ['Two', 'Three']);
    await expect.poll(focused, { timeout }).toEqual(['Two']);
    expect(await mine.page.getByText('“Two” is now number 1 of 2 in In progress.').count()).toBe(1);
    await expectColumn(theirs.page, 'IN_PROGRESS', ['Two', 'Three']);
    expect(await storedTitles(project, 'IN_PROGRESS')).toEqual(['Two', 'Three']);
  });

  test('the menu of a card moves it too', async () => {
    const project = await newProject('Menu', { TODO: ['One'], DONE: ['Old'] });
    await using mine = await visitAs(ada);
    await mine.goto(`/projects/${project.id}`);
    await mine.page.getByRole('button', { name: 'Move “One”' }).press('Enter');
    await mine.page.getByRole('menuitem', { name: 'Done' }).press('Enter');
    await expectColumn(mine.page, 'DONE', ['One', 'Old']);
    await expect.poll(() => storedTitles(project, 'DONE'), { timeout }).toEqual(['One', 'Old']);
  });

  test('a move that the service refuses is taken back, and told', async () => {
    const project = await newProject('Refused', { TODO: ['One', 'Two'] });
    await using mine = await visitAs(ada);
    mine.expectComplaint(/status of 409/);
    await mine.goto(`/projects/${project.id}`);
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    await mine.page.route('**/api/tasks/*/position', async (route) => {
      await mayAnswer;
      await route.fulfill({
        status: 409,
        json: { success: false, code: 'conflict', message: 'Moved meanwhile', errors: [] },
      });
    });
    await card(mine.page, 'One').focus();
    await mine.page.keyboard.press('Shift+ArrowDown');
    await expectColumn(mine.page, 'TODO', ['Two', 'One']);
    answer();
    await mine.page.getByRole('log').getByText('Moved meanwhile').waitFor();
    await expectColumn(mine.page, 'TODO', ['One', 'Two']);
    expect(await storedTitles(project, 'TODO')).toEqual(['One', 'Two']);
  });

  test('a quick task goes to the end of its column, also where others look', async () => {
    const project = await newProject('Quick', { BACKLOG: ['One'] });
    await using mine = await visitAs(ada);
    await using theirs = await visitAs(grace);
    await Promise.all([mine, theirs].map((one) => one.goto(`/projects/${project.id}`)));
    await expectColumn(theirs.page, 'BACKLOG', ['One']);
    await mine.page.getByRole('button', { name: 'Add task to Backlog' }).click();
    await mine.page.keyboard.type('Two');
    await mine.page.keyboard.press('Enter');
    await mine.page.keyboard.type('Three');
    await mine.page.keyboard.press('Enter');
    await expectColumn(mine.page, 'BACKLOG', ['One', 'Two', 'Three']);
    await expectColumn(theirs.page, 'BACKLOG', ['One', 'Two', 'Three']);
    await mine.page.keyboard.press('Escape');
    expect(await storedTitles(project, 'BACKLOG')).toEqual(['One', 'Two', 'Three']);
    await expectAccessibleInBoth(mine.page);
  });

  test('filters narrow board and list, and stand in the address', async () => {
    const project = await newProject('Filters', { TODO: ['Apples', 'Pears'], DONE: ['Plums'] });
    await using mine = await visitAs(ada);
    await mine.goto(`/projects/${project.id}`);
    await mine.page.getByRole('searchbox', { name: 'Search tasks' }).fill('Pears');
    await expectColumn(mine.page, 'TODO', ['Pears']);
    expect(mine.page.url()).toContain('q=Pears');
    await mine.page.getByRole('link', { name: 'List' }).click();
    await expect.poll(() => mine.page.getByRole('row').count(), { timeout }).toBe(2);
    await mine.page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => mine.page.getByRole('row').count(), { timeout }).toBe(4);
    await mine.page.getByRole('combobox', { name: 'Status' }).selectOption('DONE');
    await expect.poll(() => mine.page.getByRole('row').count(), { timeout }).toBe(2);
    await mine.page.getByRole('searchbox', { name: 'Search tasks' }).fill('nothing like it');
    await mine.page.getByText('No task fits').waitFor();
    await expectAccessibleInBoth(mine.page);
  });
});

describe('the drawer of a task', () => {
  test('changes every field, and the service has them', async () => {
    const project = await newProject('Drawer', { TODO: ['Rough'] });
    await using mine = await visitAs(ada);
    await mine.goto(`/projects/${project.id}`);
    const { page } = mine;
    await card(page, 'Rough').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('textbox', { name: 'Title' }).fill('Polished');
    await page.keyboard.press('Enter');
    await drawer.getByRole('combobox', { name: 'Status' }).selectOption('IN_REVIEW');
    await drawer.getByRole('combobox', { name: 'Priority' }).selectOption('URGENT');
    await drawer.getByLabel('Due date', { exact: true }).fill('2031-05-17');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Choose assignees' }).click();
    await drawer.getByRole('checkbox', { name: 'Grace Tester' }).click();
    await drawer.getByRole('checkbox', { name: 'Grace Tester', checked: true }).waitFor();
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Escape');
    await drawer.getByRole('button', { name: 'Edit description' }).click();
    await drawer.getByRole('textbox', { name: 'Description' }).fill('First\nsecond');
    await page.keyboard.press('Control+Enter');
    await drawer.getByText('First\nsecond').waitFor();
    await expect
      .poll(() => storedTask(project, 'Polished'), { timeout })
      .toMatchObject({
        title: 'Polished',
        description: 'First\nsecond',
        status: 'IN_REVIEW',
        priority: 'URGENT',
        dueDate: expect.stringMatching(/^2031-05-1[78]/),
        assignees: [{ displayName: 'Grace Tester' }],
      });
    await drawer.getByRole('tab', { name: 'Activity' }).click();
    await drawer.getByText('Priority: No priority → Urgent').waitFor();
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    expect(page.url()).not.toContain('task=');
    await expectColumn(page, 'IN_REVIEW', ['Polished']);
  });

  test('comments are seen live, mention people, and are changed by their author', async () => {
    const project = await newProject('Comments', { TODO: ['Talk'] });
    const task = await storedTask(project, 'Talk');
    const path = `/projects/${project.id}?task=${task?.id}`;
    await using mine = await visitAs(ada);
    await using theirs = await visitAs(grace);
    await Promise.all([mine, theirs].map((one) => one.goto(path)));
    const [here, there] = [mine.page.getByRole('dialog'), theirs.page.getByRole('dialog')];
    await there.getByText('Nobody has said anything yet.').waitFor();

    await here.getByRole('textbox', { name: 'Write a comment' }).click();
    await mine.page.keyboard.type('Ask @gra');
    await here.getByRole('option', { name: 'Grace Tester' }).waitFor();
    await expectAccessibleInBoth(mine.page);
    await mine.page.keyboard.press('Enter');
    await mine.page.keyboard.type('about it');
    await mine.page.keyboard.press('Control+Enter');
    await there.getByText('Ask @Grace Tester about it').waitFor();
    await there.getByRole('tab', { name: 'Comments (1)' }).waitFor();
    // Grace is no administrator: what Ada wrote is not hers to change.
    expect(await there.getByRole('button', { name: /Actions for the comment/ }).count()).toBe(0);

    await here.getByRole('button', { name: /Actions for the comment/ }).click();
    await here.getByRole('menuitem', { name: 'Edit' }).click();
    await here.getByRole('textbox', { name: 'Edit comment' }).fill('Never mind');
    await mine.page.keyboard.press('Control+Enter');
    await there.getByText('Never mind').waitFor();
    await there.getByText('edited').waitFor();

    await here.getByRole('button', { name: /Actions for the comment/ }).click();
    await here.getByRole('menuitem', { name: 'Delete' }).click();
    await mine.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await there.getByText('Nobody has said anything yet.').waitFor();
    expect((await storedTask(project, 'Talk'))?.commentCount).toBe(0);
  });

  test('deletes the task, and says what a link to nothing is', async () => {
    const project = await newProject('Deletion', { TODO: ['Doomed', 'Spared'] });
    const task = await storedTask(project, 'Doomed');
    await using mine = await visitAs(ada);
    mine.expectComplaint(/status of 404/);
    const { page } = mine;
    await mine.goto(`/projects/${project.id}?task=${task?.id}`);
    await page.getByRole('button', { name: 'Actions for this task' }).click();
    await page.getByRole('menuitem', { name: 'Delete task' }).click();
    await page.getByRole('button', { name: 'Delete task', exact: true }).click();
    await expectColumn(page, 'TODO', ['Spared']);
    expect(await storedTitles(project, 'TODO')).toEqual(['Spared']);
    await mine.goto(`/projects/${project.id}?task=${task?.id}`);
    await page.getByRole('dialog').getByText('There is nothing here').waitFor();
  });
});

describe('projects', () => {
  test('are made, renamed, archived, brought back and deleted by their typed name', async () => {
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
    await page.getByText('A board without tasks').waitFor();
    await expectAccessibleInBoth(page);

    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Project actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Rename or describe');
    await page.getByRole('textbox', { name: 'Name' }).fill('Harvest');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Harvest', level: 1, exact: true }).waitFor();

    await choose('Archive');
    await page.getByText('it takes no new tasks').waitFor();
    expect(await page.getByRole('button', { name: /^Add task/ }).count()).toBe(0);
    await page.getByRole('log').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('it takes no new tasks').waitFor({ state: 'hidden' });

    await choose('Delete project');
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete project' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: /to confirm/ }).fill('Harvest');
    await confirm.click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    const { items } = await ada.api.projects.list({ query: { q: 'Harvest' } }, { organizationId });
    expect(items).toEqual([]);
  });

  test('are put in order by their menu and by dragging', async () => {
    const names = ['Order A', 'Order B', 'Order C'];
    for (const name of names) await newProject(name);
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

test('my tasks are grouped by when they are due, and leave when they are done', async () => {
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

test('a viewer sees everything and is offered no change', async () => {
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
  expect(await page.getByRole('button', { name: /Add task|Move “|Project actions/ }).count()).toBe(
    0,
  );
  await visitor.goto(`/projects/${project.id}?task=${task.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByText('There are no comments.').waitFor();
  expect(await drawer.getByRole('textbox').count()).toBe(0);
  expect(await drawer.getByRole('combobox').count()).toBe(0);
});

test('a project that is not there is told as such', async () => {
  await using visitor = await visitAs(ada);
  visitor.expectComplaint(/status of 404/);
  await visitor.goto('/projects/019aa4f5-4e6f-7071-b283-9e0f1a2b3c4d');
  await visitor.page.getByText('There is nothing here').waitFor();
  await expectAccessibleInBoth(visitor.page);
});
