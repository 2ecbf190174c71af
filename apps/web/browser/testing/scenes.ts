import type { Page } from 'playwright-core';
import { newAccount, newTeam, type Account } from './accounts.ts';
import { shown } from './journey.ts';
import type { MappedPage } from './page-map.ts';
import type { Stack } from './stack.ts';

/** Something to take a picture of: a page in one of its states, or with something open. */
export interface Scene {
  /** Unique; begins with the name of its page. */
  readonly name: string;
  readonly path: string;
  /** Default: nobody is logged in. */
  readonly as?: Account | undefined;
  readonly organizationId?: string | undefined;
  /** Before the page is opened, such as what its calls are answered. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Brings the page there and waits for it. Default: until it shows what it is about. */
  readonly act?: (page: Page) => Promise<void>;
  /** It changes what others show: taken after all of them, in a browser of its own. */
  readonly leavesTraces?: true;
  /** Looks it is there in; default: all. */
  readonly only?: readonly ('light' | 'dark' | 'phone')[];
}

interface Props {
  readonly demo: Account;
  /** The demo account's team. */
  readonly organizationId: string | undefined;
  readonly pages: readonly MappedPage[];
}

/** States of pages that the demo account never sees, and everything that opens over a page. */
export async function scenes(stack: Stack, props: Props): Promise<readonly Scene[]> {
  return [...(await states(stack, props)), ...overlays(props)];
}

/** Each page with nothing in it, on its way, broken, and refused. */
async function states(
  stack: Stack,
  { demo, organizationId, pages }: Props,
): Promise<readonly Scene[]> {
  const inside = pages.filter(({ isPublic }) => !isPublic);
  const failing = inside.flatMap(({ name, path }): Scene[] => [
    {
      name: `${name}-on-its-way`,
      path,
      as: demo,
      organizationId,
      prepare: (page) => page.route(calls, () => new Promise(() => {})),
      act: (page) => page.locator('main .animate-pulse').first().waitFor(),
    },
    ...(
      [
        ['failed', 500],
        ['refused', 403],
      ] as const
    ).map(([state, status]): Scene => ({
      name: `${name}-${state}`,
      path,
      as: demo,
      organizationId,
      prepare: (page) =>
        page.route(calls, (route) => route.fulfill({ status, json: failure(status) })),
      act: (page) => page.locator('main h2, main h1').first().waitFor(),
    })),
  ]);
  return [...failing, ...(await emptiness(stack))];
}

/** Calls for what a page shows, but for who somebody is and where. */
const calls = /\/api\/(?!auth|organizations(\?|$)|organizations\/[\w-]+$|events)/;

function failure(status: number) {
  const code = status === 403 ? 'permission_denied' : 'internal_error';
  return { success: false, code, message: 'Not this time', requestId: 'req-1', errors: [] };
}

/** What somebody sees who has just come. */
async function emptiness(stack: Stack): Promise<readonly Scene[]> {
  const [nora, olaf, lena, max] = await Promise.all(
    ['Nora', 'Olaf', 'Lena', 'Max'].map((name) => newAccount(stack, name)),
  );
  if (!nora || !olaf || !lena || !max) throw new Error('unreachable: all have registered');
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
      body: { email: 'somebody@example.com' },
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
    { name: 'collections-nothing-fits', path: '/collections?q=zzz', as: olaf },
  ];
}

/** Everything that opens over a page. */
function overlays({ demo, organizationId, pages }: Props): readonly Scene[] {
  const inside = { as: demo, organizationId };
  const pathOf = (name: string) => pages.find((page) => page.name === name)?.path ?? '/';
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name }).locator('visible=true').first().click();
  const open = async (page: Page, name: string | RegExp) => {
    await press(page, name);
    await page.getByRole('menu').getByRole('menuitem').first().waitFor();
  };
  const desk: Scene['only'] = ['light', 'dark'];
  /** After the page is there. */
  const after = (run: (page: Page) => Promise<unknown>) => async (page: Page) => {
    await shown(page);
    await run(page);
    await page.evaluate('document.fonts.ready');
    await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined);
  };
  return [
    {
      name: 'login-refused',
      path: '/login',
      act: after(async (page) => {
        await page.getByLabel('Email').fill('somebody@example.com');
        await page.getByLabel('Password').fill('not this one');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').waitFor();
      }),
    },
    {
      name: 'register-invalid',
      path: '/register',
      act: after(async (page) => {
        await page.getByLabel('Email').fill('somebody');
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
      only: desk,
      act: after((page) => open(page, /^Change the organization/)),
    },
    {
      name: 'account-menu',
      path: '/',
      ...inside,
      only: desk,
      act: after((page) => open(page, /^Account of/)),
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
      // Chosen for this page alone; the others of this browser keep their tiles.
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
      act: after((page) =>
        page.evaluate(`{
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(['x'], 'x.txt'));
          // Whatever is held over a window says so again and again.
          setInterval(() => document.body.dispatchEvent(new DragEvent('dragover', { bubbles: true, dataTransfer })), 50);
        }`),
      ),
    },
    {
      name: 'collection-uploads',
      path: pathOf('collection'),
      ...inside,
      leavesTraces: true,
      prepare: (page) =>
        page.route(/X-Amz-Signature/, async (route) => {
          // Parts never arrive; pictures do.
          if (route.request().method() !== 'PUT') await route.continue();
        }),
      act: after(async (page) => {
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
    {
      name: 'project-menu',
      path: pathOf('project'),
      ...inside,
      act: after((page) => open(page, /^Move “/)),
    },
    {
      name: 'project-quick-add',
      path: pathOf('project'),
      ...inside,
      act: after((page) => press(page, /^Add task to/)),
    },
    { name: 'project-list', path: `${pathOf('project')}?view=list`, ...inside },
    {
      name: 'task-assignees',
      path: pathOf('task'),
      ...inside,
      act: after((page) => press(page, 'Choose assignees')),
    },
    {
      name: 'task-activity',
      path: pathOf('task'),
      ...inside,
      act: after((page) => page.getByRole('tab', { name: 'Activity' }).click()),
    },
    {
      name: 'task-delete',
      path: pathOf('task'),
      ...inside,
      act: after(async (page) => {
        await press(page, 'Actions for this task');
        await page.getByRole('menuitem', { name: 'Delete task' }).click();
      }),
    },
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
      name: 'notice',
      path: '/collections',
      ...inside,
      // Nothing is really deleted.
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
