import type { Project, Task, TaskStatus } from '@atelier/client';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, inject } from 'vitest';
import { newAccount, newTeam, type Account } from './accounts.ts';
import { launchChromium } from './chromium.ts';
import type { ContextOptions } from './context.ts';
import { visit, type Visitor } from './visitor.ts';

const timeout = 40_000;

/** Sets up a browser and a team of Ada and Grace for a test file. For the top level of the file. */
export async function setUpBoard() {
  const stack = inject('stack');
  const browser = await launchChromium();
  afterAll(() => browser.close());
  const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
  const organizationId = await newTeam(stack, [ada, grace]);
  return {
    stack,
    browser,
    ada,
    grace,
    organizationId,
    fixtures: projectFixtures(ada, organizationId),
    visitAs: (as: Account, options: ContextOptions = {}): Promise<Visitor> =>
      visit({ browser, stack }, { as, organizationId, colorScheme: 'light', ...options }),
  };
}

/** Creates and reads projects and tasks of an organization through the API. */
function projectFixtures({ api }: Pick<Account, 'api'>, organizationId: string) {
  const options = { organizationId };
  return {
    /** Creates a project with tasks, in order. */
    async newProject(
      name: string,
      tasks: Partial<Record<TaskStatus, readonly string[]>> = {},
    ): Promise<Project> {
      const project = await api.projects.create({ body: { name } }, options);
      const params = { projectId: project.id };
      for (const status of ['BACKLOG', 'TODO', 'IN_PROGRESS', 'DONE'] as const) {
        for (const title of tasks[status] ?? []) {
          await api.tasks.create({ params, body: { title, status } }, options);
        }
      }
      return project;
    },
    /** Adds a task to the column of what is to be done. */
    async newTask({ id }: Project, title: string): Promise<void> {
      await api.tasks.create(
        { params: { projectId: id }, body: { title, status: 'TODO' } },
        options,
      );
    },
    /** Returns the stored titles of a column, in order. */
    async storedTitles({ id }: Project, status: TaskStatus): Promise<string[]> {
      const { items } = await api.tasks.listInProject(
        { params: { projectId: id }, query: { status, sort: 'position', limit: 100 } },
        options,
      );
      return items.map(({ title }) => title);
    },
    async storedTask({ id }: Project, title: string): Promise<Task | undefined> {
      const { items } = await api.tasks.listInProject(
        { params: { projectId: id }, query: { q: title } },
        options,
      );
      return items[0];
    },
  };
}

export const column = (page: Page, status: TaskStatus): Locator =>
  page.locator(`[data-column="${status}"]`);

export const card = (page: Page, title: string): Locator =>
  page.locator('[data-card]').filter({ hasText: title });

/** Waits until a column shows these cards in this order. */
export async function expectColumn(
  page: Page,
  status: TaskStatus,
  titles: readonly string[],
): Promise<void> {
  const shown = () => column(page, status).locator('[data-card]').allTextContents();
  await expect.poll(shown, { timeout }).toEqual(titles);
}

/** Drags with the mouse, in several steps. */
export async function drag(
  page: Page,
  from: Locator,
  to: { readonly x: number; readonly y: number },
): Promise<void> {
  const start = await from.boundingBox();
  if (!start) throw new Error('the element to drag is not visible');
  const grip = { x: start.x + Math.min(20, start.width / 2), y: start.y + start.height / 2 };
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x + 10, grip.y + 10, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await page.mouse.move(to.x, to.y + 1);
  await page.mouse.up();
}
