import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { lazyPage } from './loading/lazy.tsx';
import { keepPageWithoutNext } from './loading/keep-page.ts';
import * as approval from './pages/approval/search.ts';
import * as asset from './pages/asset/search.ts';
import * as bin from './pages/bin/search.ts';
import * as collection from './pages/collection/search.ts';
import * as collections from './pages/collections/search.ts';
import * as favorites from './pages/favorites/search.ts';
import * as activity from './pages/activity/search.ts';
import * as loading from './pages/loading/search.ts';
import * as login from './pages/login/search.ts';
import * as mailedLink from './pages/mailed-link-search.ts';
import * as members from './pages/members/search.ts';
import * as myTasks from './pages/my-tasks/search.ts';
import * as notifications from './pages/notifications/search.ts';
import * as project from './pages/project/search.ts';
import * as projects from './pages/projects/search.ts';
import * as search from './pages/search/search.ts';
import * as summary from './pages/summary/search.ts';
import * as timeline from './pages/timeline/search.ts';
import * as timelineResource from './pages/timeline-resource/search.ts';
import * as webhook from './pages/webhook/search.ts';
import { selectDefaultOrganization } from './session/account.ts';
import { hasSession } from './session/session.ts';
import { workOffline } from './shell/work-offline.ts';
import { NoPage, PageFailed, PageLoading, ShellLoading } from './shell/page-states.tsx';

const root = createRootRoute({ component: Outlet });

/** Pages that need no session. */
const publicRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    validateSearch: login.validateSearch,
    component: lazyPage(() => import('./pages/login/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register',
    validateSearch: login.validateSearch,
    component: lazyPage(() => import('./pages/register/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify-email',
    validateSearch: mailedLink.validateSearch,
    component: lazyPage(() => import('./pages/verify-email/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    component: lazyPage(() => import('./pages/forgot-password/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    validateSearch: mailedLink.validateSearch,
    component: lazyPage(() => import('./pages/reset-password/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/keep-account',
    validateSearch: mailedLink.validateSearch,
    component: lazyPage(() => import('./pages/keep-account/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/change-email',
    validateSearch: mailedLink.validateSearch,
    component: lazyPage(() => import('./pages/change-email/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/undo-email-change',
    validateSearch: mailedLink.validateSearch,
    component: lazyPage(() => import('./pages/undo-email-change/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/unsubscribe',
    validateSearch: mailedLink.validateSearch,
    component: lazyPage(() => import('./pages/unsubscribe/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/loading',
    validateSearch: loading.validateSearch,
    component: lazyPage(() => import('./pages/loading/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitations/$token',
    component: lazyPage(() => import('./pages/invitation/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/plans',
    component: lazyPage(() => import('./pages/plans/page.tsx')),
  }),
] as const;

/** Layout of the pages that need a session; anonymous visitors are redirected to the sign-in page. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyPage(() => import('./shell/app-shell.tsx')),
  pendingComponent: ShellLoading,
  async beforeLoad({ location }) {
    // What an earlier visit has kept is all there is.
    if (!navigator.onLine) await workOffline();
    if (await hasSession()) await selectDefaultOrganization();
    // The selection's requests may have revealed that the session has expired.
    if (await hasSession()) return;
    const isStart = location.href === '/';
    // The router handles a thrown redirect.
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/login', search: isStart ? {} : { redirect: location.href } });
  },
});

/** Pages that need a session. */
const shellRoutes = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    component: lazyPage(() => import('./pages/dashboard/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/collections',
    validateSearch: collections.validateSearch,
    component: lazyPage(() => import('./pages/collections/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/collections/$id',
    validateSearch: collection.validateSearch,
    component: lazyPage(() => import('./pages/collection/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/assets/$id',
    validateSearch: asset.validateSearch,
    component: lazyPage(() => import('./pages/asset/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/favorites',
    validateSearch: favorites.validateSearch,
    component: lazyPage(() => import('./pages/favorites/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/bin',
    validateSearch: bin.validateSearch,
    component: lazyPage(() => import('./pages/bin/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/projects',
    validateSearch: projects.validateSearch,
    component: lazyPage(() => import('./pages/projects/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/projects/$id',
    validateSearch: project.validateSearch,
    component: lazyPage(() => import('./pages/project/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/projects/$id/tasks/$taskId',
    component: lazyPage(() => import('./pages/task/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/notifications',
    validateSearch: notifications.validateSearch,
    component: lazyPage(() => import('./pages/notifications/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/my-tasks',
    validateSearch: myTasks.validateSearch,
    component: lazyPage(() => import('./pages/my-tasks/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/search',
    validateSearch: search.validateSearch,
    component: lazyPage(() => import('./pages/search/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/profile',
    component: lazyPage(() => import('./pages/profile/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/notifications',
    component: lazyPage(() => import('./pages/notification-settings/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/security',
    component: lazyPage(() => import('./pages/security/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/api-keys',
    component: lazyPage(() => import('./pages/api-keys/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/approvals',
    component: lazyPage(() => import('./pages/approvals/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/approvals/$id',
    validateSearch: approval.validateSearch,
    component: lazyPage(() => import('./pages/approval/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/organization',
    component: lazyPage(() => import('./pages/organization/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/public',
    component: lazyPage(() => import('./pages/public-access/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/webhooks',
    component: lazyPage(() => import('./pages/webhooks/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/webhooks/$id',
    validateSearch: webhook.validateSearch,
    component: lazyPage(() => import('./pages/webhook/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/service-accounts',
    component: lazyPage(() => import('./pages/service-accounts/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/service-accounts/$id',
    component: lazyPage(() => import('./pages/service-account/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/member-keys',
    component: lazyPage(() => import('./pages/member-keys/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/members',
    validateSearch: members.validateSearch,
    component: lazyPage(() => import('./pages/members/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/plan',
    component: lazyPage(() => import('./pages/plan/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/activity',
    validateSearch: activity.validateSearch,
    component: lazyPage(() => import('./pages/activity/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/admin/timeline',
    validateSearch: timeline.validateSearch,
    component: lazyPage(() => import('./pages/timeline/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/admin/timeline/$type/$id',
    validateSearch: timelineResource.validateSearch,
    component: lazyPage(() => import('./pages/timeline-resource/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/admin/summary',
    validateSearch: summary.validateSearch,
    component: lazyPage(() => import('./pages/summary/page.tsx')),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...publicRoutes, shell.addChildren(shellRoutes)]),
  defaultPreload: 'intent',
  // TanStack Query caches the responses.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  // Skeletons have the shape of their page, so they don't flicker when they are shown briefly.
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: NoPage,
  scrollRestoration: true,
});

keepPageWithoutNext(router);

/** Loads the chunks of the first page while its route loads the user and organizations. */
export async function loadFirstPage(): Promise<void> {
  const [matchedRoutes] = router.getMatchedRoutes(location.pathname);
  const needsSession = matchedRoutes.some(({ id }) => id === shell.id);
  if (needsSession && !(await hasSession())) return;
  await Promise.allSettled(matchedRoutes.map(async (route) => router.loadRouteChunk(route)));
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
