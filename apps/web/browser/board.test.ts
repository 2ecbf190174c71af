import { describe, expect, test } from 'vitest';
import { expectAccessibleInBoth } from './testing/axe.ts';
import { card, column, drag, expectColumn, setUpBoard } from './testing/board.ts';
import { waitForScripts } from './testing/wait-for-page.ts';

const timeout = 40_000;
const { ada, grace, fixtures, visitAs } = await setUpBoard();

describe('a board in two browsers', () => {
  test('a dragged card moves in both browsers', async () => {
    const project = await fixtures.newProject('Drag', {
      TODO: ['One', 'Two', 'Three'],
      IN_PROGRESS: ['Four', 'Five'],
    });
    await using mine = await visitAs(ada);
    await using theirs = await visitAs(grace);
    await Promise.all([mine, theirs].map((one) => one.goto(`/projects/${project.id}`)));
    await expectColumn(mine.page, 'TODO', ['One', 'Two', 'Three']);
    await expectColumn(theirs.page, 'TODO', ['One', 'Two', 'Three']);
    // Dragging is loaded when the browser is idle.
    await waitForScripts(mine.page);

    const target = await card(mine.page, 'Five').locator('xpath=ancestor::li').boundingBox();
    if (!target) throw new Error('the other card is not shown');
    await drag(mine.page, card(mine.page, 'One'), { x: target.x + 20, y: target.y + 2 });
    await expectColumn(mine.page, 'IN_PROGRESS', ['Four', 'One', 'Five']);
    await expectColumn(theirs.page, 'IN_PROGRESS', ['Four', 'One', 'Five']);
    await expectColumn(theirs.page, 'TODO', ['Two', 'Three']);
    expect(await fixtures.storedTitles(project, 'IN_PROGRESS')).toEqual(['Four', 'One', 'Five']);

    const empty = await column(mine.page, 'IN_REVIEW').boundingBox();
    if (!empty) throw new Error('the empty column is not shown');
    await drag(mine.page, card(mine.page, 'Two'), { x: empty.x + 60, y: empty.y + 70 });
    await expectColumn(theirs.page, 'IN_REVIEW', ['Two']);
    expect(await fixtures.storedTitles(project, 'IN_REVIEW')).toEqual(['Two']);
  });

  test('keys move a card, which keeps the focus, and its position is announced', async () => {
    const project = await fixtures.newProject('Keys', {
      TODO: ['One', 'Two'],
      IN_PROGRESS: ['Three'],
    });
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
    expect(
      await mine.page.getByText('“Two” moved to position 1 of 2 in In progress.').count(),
    ).toBe(1);
    await expectColumn(theirs.page, 'IN_PROGRESS', ['Two', 'Three']);
    expect(await fixtures.storedTitles(project, 'IN_PROGRESS')).toEqual(['Two', 'Three']);
  });

  test('the menu of a card moves it', async () => {
    const project = await fixtures.newProject('Menu', { TODO: ['One'], DONE: ['Old'] });
    await using mine = await visitAs(ada);
    await mine.goto(`/projects/${project.id}`);
    await mine.page.getByRole('button', { name: 'Actions for “One”' }).press('Enter');
    await mine.page.getByRole('menuitem', { name: 'Done' }).press('Enter');
    await expectColumn(mine.page, 'DONE', ['One', 'Old']);
    await expect
      .poll(() => fixtures.storedTitles(project, 'DONE'), { timeout })
      .toEqual(['One', 'Old']);
  });

  test('a rejected move is rolled back and shows the error', async () => {
    const project = await fixtures.newProject('Refused', { TODO: ['One', 'Two'] });
    await using mine = await visitAs(ada);
    mine.allowError(/status of 409/);
    await mine.goto(`/projects/${project.id}`);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await mine.page.route('**/api/tasks/*/position', async (route) => {
      await released;
      await route.fulfill({
        status: 409,
        json: { success: false, code: 'conflict', message: 'The task has moved', errors: [] },
      });
    });
    await card(mine.page, 'One').focus();
    await mine.page.keyboard.press('Shift+ArrowDown');
    await expectColumn(mine.page, 'TODO', ['Two', 'One']);
    release();
    await mine.page.getByRole('log').getByText('The task has moved').waitFor();
    await expectColumn(mine.page, 'TODO', ['One', 'Two']);
    expect(await fixtures.storedTitles(project, 'TODO')).toEqual(['One', 'Two']);
  });

  test('a quickly added task appears at the end of its column, in both browsers', async () => {
    const project = await fixtures.newProject('Quick', { BACKLOG: ['One'] });
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
    expect(await fixtures.storedTitles(project, 'BACKLOG')).toEqual(['One', 'Two', 'Three']);
    await expectAccessibleInBoth(mine.page);
  });

  test('filters apply to board and list and are kept in the URL', async () => {
    const project = await fixtures.newProject('Filters', {
      TODO: ['Apples', 'Pears'],
      DONE: ['Plums'],
    });
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
    await mine.page.getByText('No matching tasks').waitFor();
    await expectAccessibleInBoth(mine.page);
  });
});

describe('the drawer of a task', () => {
  test('changes every field, and the API stores them', async () => {
    const project = await fixtures.newProject('Drawer', { TODO: ['Rough'] });
    await using mine = await visitAs(ada);
    await mine.goto(`/projects/${project.id}`);
    const { page } = mine;
    await card(page, 'Rough').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('textbox', { name: 'Title' }).fill('Polished');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Status: To do' }).click();
    await drawer.getByRole('option', { name: 'In review' }).click();
    await drawer.getByRole('button', { name: 'Priority: No priority' }).click();
    await drawer.getByRole('option', { name: 'Urgent' }).click();
    await drawer.getByRole('button', { name: 'Due date: None' }).click();
    await drawer.getByLabel('Due date', { exact: true }).fill('2031-05-17');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Due date: Due May 17, 2031' }).waitFor();
    await drawer.getByRole('button', { name: 'Choose assignees' }).click();
    await drawer.getByRole('option', { name: 'Grace Tester' }).click();
    await drawer.getByRole('option', { name: 'Grace Tester', selected: true }).waitFor();
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Escape');
    await drawer.getByRole('button', { name: 'Edit description' }).click();
    await drawer.getByRole('textbox', { name: 'Description' }).fill('First\nsecond');
    await page.keyboard.press('Control+Enter');
    await drawer.getByText('First\nsecond').waitFor();
    await expect
      .poll(() => fixtures.storedTask(project, 'Polished'), { timeout })
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

  test('comments appear live, mention people and can be changed by their author', async () => {
    const project = await fixtures.newProject('Comments', { TODO: ['Talk'] });
    const task = await fixtures.storedTask(project, 'Talk');
    const path = `/projects/${project.id}?task=${task?.id}`;
    await using mine = await visitAs(ada);
    await using theirs = await visitAs(grace);
    await Promise.all([mine, theirs].map((one) => one.goto(path)));
    const actionsForComment = 'Actions for Ada Tester’s comment';
    const [here, there] = [mine.page.getByRole('dialog'), theirs.page.getByRole('dialog')];
    await there.getByText('No comments yet.').waitFor();

    await here.getByRole('textbox', { name: 'Write a comment' }).click();
    await mine.page.keyboard.type('Ask @gra');
    await here.getByRole('option', { name: 'Grace Tester' }).waitFor();
    await expectAccessibleInBoth(mine.page);
    await mine.page.keyboard.press('Enter');
    await mine.page.keyboard.type('about it');
    await mine.page.keyboard.press('Control+Enter');
    await there.getByText('Ask @Grace Tester about it').waitFor();
    await there.getByRole('tab', { name: 'Comments (1)' }).waitFor();
    // Grace is not an admin, so she can't change Ada's comment.
    expect(await there.getByRole('button', { name: actionsForComment }).count()).toBe(0);

    await here.getByRole('button', { name: actionsForComment }).click();
    await here.getByRole('menuitem', { name: 'Edit' }).click();
    await here.getByRole('textbox', { name: 'Edit comment' }).fill('Never mind');
    await mine.page.keyboard.press('Control+Enter');
    await there.getByText('Never mind').waitFor();
    await there.getByText('edited').waitFor();

    await here.getByRole('button', { name: actionsForComment }).click();
    await here.getByRole('menuitem', { name: 'Delete' }).click();
    await mine.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await there.getByText('No comments yet.').waitFor();
    expect((await fixtures.storedTask(project, 'Talk'))?.commentCount).toBe(0);
  });

  test('deletes the task after a while in which it is undone, and a link to it shows that it is gone', async () => {
    const project = await fixtures.newProject('Deletion', { TODO: ['Doomed', 'Spared'] });
    const task = await fixtures.storedTask(project, 'Doomed');
    await using mine = await visitAs(ada);
    mine.allowError(/status of 404/);
    const { page } = mine;
    await mine.goto(`/projects/${project.id}?task=${task?.id}`);
    await page.getByRole('button', { name: 'Actions for this task' }).click();
    await page.getByRole('menuitem', { name: 'Delete task' }).click();
    await expectColumn(page, 'TODO', ['Spared']);
    await page.getByText('“Doomed” has been deleted.').waitFor();
    // Until the notification is gone, it can be undone.
    expect(await fixtures.storedTitles(project, 'TODO')).toEqual(['Doomed', 'Spared']);
    await page.getByRole('log').getByRole('button', { name: 'Undo' }).click();
    await expectColumn(page, 'TODO', ['Doomed', 'Spared']);
    await page.getByRole('button', { name: 'Actions for “Doomed”' }).click();
    await page.getByRole('menuitem', { name: 'Delete task' }).click();
    await expectColumn(page, 'TODO', ['Spared']);
    await expect
      .poll(() => fixtures.storedTitles(project, 'TODO'), { timeout })
      .toEqual(['Spared']);
    await expectColumn(page, 'TODO', ['Spared']);
    await mine.goto(`/projects/${project.id}?task=${task?.id}`);
    await page.getByRole('dialog').getByText('Not found').waitFor();
  });
});
