import type { Page } from 'playwright-core';
import { newAccount, newTeam, type Account } from './accounts.ts';
import { approvalScenes } from './approval-scenes.ts';
import { waitForPage, waitForResponses, waitForScripts } from './wait-for-page.ts';
import { fileScenes } from './file-scenes.ts';
import { libraryScenes } from './library-scenes.ts';
import { notificationScenes } from './notification-scenes.ts';
import { offlineScenes } from './offline-scenes.ts';
import { searchScenes } from './search-scenes.ts';
import { shareScenes } from './share-scenes.ts';
import type { MappedPage } from './page-map.ts';
import type { Scene } from './scene.ts';
import type { Stack } from './stack.ts';
import { taskScenes } from './task-scenes.ts';

interface Props {
  readonly demo: Account;
  /** The demo account's team. */
  readonly organizationId: string | undefined;
  readonly pages: readonly MappedPage[];
}

/** Lists the states that the demo account never sees, and everything that opens over a page. */
export async function scenes(stack: Stack, props: Props): Promise<readonly Scene[]> {
  return [
    ...(await states(stack, props)),
    ...overlays(props),
    ...(await notificationScenes(stack)),
    ...(await searchScenes(stack)),
    ...(await shareScenes(props)),
    ...(await libraryScenes(stack, props)),
    ...(await fileScenes(stack)),
    ...(await approvalScenes(stack)),
  ];
}

/** Lists each page empty, loading, failed and forbidden. */
async function states(
  stack: Stack,
  { demo, organizationId, pages }: Props,
): Promise<readonly Scene[]> {
  const inside = pages.filter(({ isPublic }) => !isPublic);
  const failing = inside.flatMap(({ name, path }): Scene[] => [
    {
      name: `${name}-loading`,
      path,
      as: demo,
      organizationId,
      memory: 'of failures',
      prepare: (page) => page.route(requests, () => new Promise(() => {})),
      act: (page) => page.locator('main .animate-pulse').first().waitFor(),
    },
    ...(
      [
        ['failed', 500],
        ['forbidden', 403],
      ] as const
    ).map(([state, status]): Scene => ({
      name: `${name}-${state}`,
      path,
      as: demo,
      organizationId,
      memory: 'of failures',
      prepare: (page) =>
        page.route(requests, (route) => route.fulfill({ status, json: failure(status) })),
      act: waitForResponses,
    })),
  ]);
  return [...failing, ...(await emptyStates(stack))];
}

/** Requests for the data of a page, except for the user and the organizations. */
const requests =
  /\/api\/(?!auth\/(user|refresh-token|login)$|organizations(\?|$)|organizations\/[\w-]+$|events)/;

function failure(status: number) {
  const code = status === 403 ? 'permission_denied' : 'internal_error';
  return { success: false, code, message: 'Not this time', requestId: 'req-1', errors: [] };
}

/** Lists what a new user sees. */
async function emptyStates(stack: Stack): Promise<readonly Scene[]> {
  const [nora, olaf, lena, max] = await Promise.all(
    ['Nora', 'Olaf', 'Lena', 'Max'].map((name) => newAccount(stack, name)),
  );
  if (!nora || !olaf || !lena || !max) throw new Error('unreachable: all accounts exist');
  const team = await newTeam(stack, [lena, max], 'Blank Canvas');
  const options = { organizationId: team };
  const pages = [
    ['dashboard', '/'],
    ['collections', '/collections'],
    ['favorites', '/favorites'],
    ['bin', '/bin'],
    ['projects', '/projects'],
    ['my-tasks', '/my-tasks'],
    ['activity', '/activity'],
    ['summary', '/admin/summary'],
    ['members', '/settings/members'],
    ['invitations', '/settings/members?tab=invitations'],
    ['organization', '/settings/organization'],
  ] as const;
  const collection = await olaf.api.collections.create({ body: { title: 'Nothing in it' } });
  const project = await olaf.api.projects.create({ body: { name: 'Blank board' } });
  const projectId = project.id;
  const task = await olaf.api.tasks.create({ params: { projectId }, body: { title: 'First' } });
  const other = await olaf.api.projects.create({ body: { name: 'Another board' } });
  const inTeam = await lena.api.organizations.invite(
    {
      params: { id: team },
      body: { email: 'someone@example.com' },
    },
    options,
  );
  return [
    ...pages.map(([name, path]): Scene => ({ name: `${name}-empty`, path, as: nora })),
    { name: 'members-few', path: '/settings/members', as: lena, organizationId: team },
    {
      name: `invitations-${inTeam.status.toLowerCase()}`,
      path: '/settings/members?tab=invitations',
      as: lena,
      organizationId: team,
    },
    { name: 'timeline-member', path: '/admin/timeline', as: max, organizationId: team },
    { name: 'organization-member', path: '/settings/organization', as: max, organizationId: team },
    { name: 'plan-member', path: '/settings/plan', as: max, organizationId: team },
    { name: 'collection-empty', path: `/collections/${collection.id}`, as: olaf },
    { name: 'project-empty', path: `/projects/${other.id}`, as: olaf },
    { name: 'task-empty', path: `/projects/${projectId}?task=${task.id}`, as: olaf },
    { name: 'project-list-empty', path: `/projects/${other.id}?view=list`, as: olaf },
    { name: 'collections-no-matches', path: '/collections?q=zzz', as: olaf },
  ];
}

/** Lists everything that opens over a page. */
function overlays({ demo, organizationId, pages }: Props): readonly Scene[] {
  const inside = { as: demo, organizationId };
  const pathOf = (name: string) => pages.find((page) => page.name === name)?.path ?? '/';
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name }).locator('visible=true').first().click();
  const open = async (page: Page, name: string | RegExp) => {
    await press(page, name);
    await page.getByRole('menu').getByRole('menuitem').first().waitFor();
  };
  const desktop: Scene['only'] = ['light', 'dark'];
  /** Runs after the page has loaded. */
  const after = (run: (page: Page) => Promise<unknown>) => async (page: Page) => {
    await waitForPage(page);
    await run(page);
    await page.evaluate('document.fonts.ready');
    await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined);
  };
  return [
    {
      name: 'login-failed',
      path: '/login',
      act: after(async (page) => {
        await page.getByLabel('Email').fill('someone@example.com');
        await page.getByLabel('Password').fill('not this one');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').waitFor();
      }),
    },
    {
      name: 'register-invalid',
      path: '/register',
      act: after(async (page) => {
        await page.getByLabel('Email').fill('someone');
        await page.keyboard.press('Enter');
        await page.getByText('Use at least 8 characters.').waitFor();
      }),
    },
    {
      name: 'palette',
      path: '/',
      ...inside,
      act: after(async (page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Search and commands' }).fill('the');
        await page.getByRole('option').first().waitFor();
      }),
    },
    {
      name: 'navigation',
      path: '/',
      ...inside,
      only: ['phone'],
      act: after((page) => press(page, 'Open navigation')),
    },
    {
      name: 'organization-menu',
      path: '/',
      ...inside,
      only: desktop,
      act: after((page) => open(page, /^Switch organization/)),
    },
    {
      name: 'account-menu',
      path: '/',
      ...inside,
      only: desktop,
      act: after((page) => open(page, /^Account menu for/)),
    },
    {
      name: 'shortcuts',
      path: '/',
      ...inside,
      only: desktop,
      act: after(async (page) => {
        await page.waitForFunction(() => performance.getEntriesByName('atelier:loaded').length > 0);
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      }),
    },
    {
      name: 'dashboard-table',
      path: '/',
      ...inside,
      act: after((page) => press(page, /as a table/i)),
    },
    {
      name: 'collections-new',
      path: '/collections',
      ...inside,
      act: after((page) => press(page, 'New collection')),
    },
    {
      name: 'collection-menu',
      path: pathOf('collection'),
      ...inside,
      act: after((page) => open(page, /^More actions for .*\./)),
    },
    {
      name: 'collection-table',
      path: pathOf('collection'),
      ...inside,
      // For this page only: the other pages of the context keep the grid.
      prepare: (page) =>
        page.addInitScript(`{
          const { getItem } = Storage.prototype;
          Storage.prototype.getItem = function (key) {
            return key === 'atelier_assets_view' ? 'table' : getItem.call(this, key);
          };
        }`),
    },
    {
      name: 'collection-selection',
      path: pathOf('collection'),
      ...inside,
      act: after((page) =>
        page
          .getByLabel(/^Select /)
          .first()
          .check({ force: true }),
      ),
    },
    {
      name: 'collection-drop',
      path: pathOf('collection'),
      ...inside,
      act: after(async (page) => {
        await page.evaluate(`{
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(['x'], 'x.txt'));
          // Browsers repeat the event while files are held over the window.
          setInterval(() => document.body.dispatchEvent(new DragEvent('dragover', { bubbles: true, dataTransfer })), 50);
        }`);
        await page.getByText('Drop to upload').waitFor();
      }),
    },
    {
      name: 'collection-uploads',
      path: pathOf('collection'),
      ...inside,
      changesData: true,
      prepare: (page) =>
        page.route(/X-Amz-Signature/, async (route) => {
          // Upload parts never finish; images load.
          if (route.request().method() !== 'PUT') await route.continue();
        }),
      act: after(async (page) => {
        await waitForScripts(page);
        await page.evaluate(`{
          const files = new DataTransfer();
          for (const name of ['a very long name of a picture that was taken at the lake.jpg', 'two.pdf', 'three.mov', 'four.txt']) {
            files.items.add(new File(['x'.repeat(3_000_000)], name));
          }
          for (const type of ['dragenter', 'dragover', 'drop']) {
            document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files }));
          }
        }`);
        await page.getByRole('region', { name: 'Uploads' }).getByText('Waiting').waitFor();
      }),
    },
    { name: 'asset-comments', path: `${pathOf('asset')}?tab=comments`, ...inside },
    { name: 'asset-versions', path: `${pathOf('asset')}?tab=versions`, ...inside },
    { name: 'asset-activity', path: `${pathOf('asset')}?tab=activity`, ...inside },
    {
      name: 'asset-menu',
      path: pathOf('asset'),
      ...inside,
      act: after((page) => open(page, /^More actions/)),
    },
    {
      name: 'projects-new',
      path: '/projects',
      ...inside,
      act: after((page) => press(page, 'New project')),
    },
    {
      name: 'projects-menu',
      path: '/projects',
      ...inside,
      act: after((page) => open(page, /^Actions for/)),
    },
    ...taskScenes({ inside, pathOf, press, open, after }),
    ...offlineScenes(pathOf('project'), inside),
    {
      name: 'members-invite',
      path: '/settings/members',
      ...inside,
      act: after((page) => press(page, 'Invite people')),
    },
    { name: 'invitations', path: '/settings/members?tab=invitations', ...inside },
    {
      name: 'organization-delete',
      path: '/settings/organization',
      ...inside,
      act: after((page) => press(page, 'Delete the team')),
    },
    {
      name: 'summary-table',
      path: '/admin/summary',
      ...inside,
      act: after((page) => press(page, 'Show as a table')),
    },
    {
      name: 'notification',
      path: '/collections',
      ...inside,
      // Mocked, so that nothing is deleted.
      prepare: (page) =>
        page.route('**/api/collections/*', async (route) => {
          const request = route.request();
          if (request.method() !== 'DELETE') return route.continue();
          const id = new URL(request.url()).pathname.split('/').at(-1);
          return route.fulfill({ json: { message: 'Collection deleted', data: { id } } });
        }),
      act: after(async (page) => {
        await open(page, /^More actions/);
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        await page.getByRole('log').getByRole('button', { name: 'Undo' }).waitFor();
      }),
    },
  ];
}
