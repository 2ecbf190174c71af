import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';

interface Props {
  readonly inside: Pick<Scene, 'as' | 'organizationId'>;
  readonly pathOf: (page: string) => string;
  readonly press: (page: Page, name: string | RegExp) => Promise<unknown>;
  /** Presses a button, and waits for its menu. */
  readonly open: (page: Page, name: string | RegExp) => Promise<unknown>;
  /** Runs after the page has loaded. */
  readonly after: (run: (page: Page) => Promise<unknown>) => (page: Page) => Promise<void>;
}

/** Lists the views of the tasks of a project, and what opens over them. */
export function taskScenes({ inside, pathOf, press, open, after }: Props): readonly Scene[] {
  return [
    {
      name: 'project-menu',
      path: pathOf('project'),
      ...inside,
      act: after((page) => open(page, /^Actions for “/)),
    },
    {
      name: 'project-quick-add',
      path: pathOf('project'),
      ...inside,
      act: after((page) => press(page, /^Add task to/)),
    },
    { name: 'project-list', path: `${pathOf('project')}?view=list`, ...inside },
    {
      name: 'project-list-selection',
      path: `${pathOf('project')}?view=list`,
      ...inside,
      act: after(async (page) => {
        await page
          .getByLabel(/^Select “/)
          .first()
          .check();
        await press(page, 'Labels');
      }),
    },
    { name: 'project-calendar', path: `${pathOf('project')}?view=calendar`, ...inside },
    {
      name: 'project-import',
      path: pathOf('project'),
      ...inside,
      act: after(async (page) => {
        await open(page, 'Project actions');
        await page.getByRole('menuitem', { name: 'Import tasks from CSV' }).click();
        await page.getByLabel('CSV file').setInputFiles({
          name: 'tasks.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(
            'Title,Status,Priority,Due date\nHang the lamps,In progress,High,2026-12-04\nBuy nails,Someday,,\n,Done,,',
          ),
        });
        await page.getByText('2 tasks will be added').waitFor();
      }),
    },
    {
      name: 'project-list-grouped',
      path: `${pathOf('project')}?view=list&group=assignee`,
      ...inside,
    },
    { name: 'project-by-assignee', path: `${pathOf('project')}?group=assignee`, ...inside },
    {
      name: 'project-collapsed',
      path: pathOf('project'),
      ...inside,
      act: after(async (page) => {
        await press(page, 'Collapse Backlog');
        await press(page, 'Collapse In review');
      }),
    },
    {
      name: 'task-assignees',
      path: pathOf('task'),
      ...inside,
      act: after((page) => press(page, 'Choose assignees')),
    },
    {
      name: 'task-status',
      path: pathOf('task'),
      ...inside,
      act: after((page) => press(page, /^Status:/)),
    },
    {
      name: 'task-due',
      path: pathOf('task'),
      ...inside,
      act: after((page) => press(page, /^Due date:/)),
    },
    {
      name: 'task-activity',
      path: pathOf('task'),
      ...inside,
      act: after((page) => page.getByRole('tab', { name: 'Activity' }).click()),
    },
    {
      name: 'task-menu',
      path: pathOf('task'),
      ...inside,
      act: after((page) => open(page, 'Actions for this task')),
    },
  ];
}
