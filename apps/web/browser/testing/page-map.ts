import type { Account } from './accounts.ts';

/** A page of the app, as the demo account sees it. */
export interface MappedPage {
  /** Unique; also names the screenshots. */
  readonly name: string;
  readonly path: string;
  readonly isPublic?: boolean;
  /** Console error that the page causes, such as for a response with status 400. */
  readonly expectedError?: RegExp;
}

const clientError = /status of 4\d\d/;

/** Lists every page, with ids from the demo account. */
export async function pageMap(
  { api }: Pick<Account, 'api'>,
  organizationId: string | null,
): Promise<readonly MappedPage[]> {
  const options = { organizationId };
  const collections = await api.collections.list({ query: { limit: 1 } }, options);
  const collectionId = collections.items[0]?.id ?? '';
  const assets = await api.assets.list({ query: { limit: 1, collectionId } }, options);
  const projects = await api.projects.list({ query: { limit: 1 } }, options);
  const projectId = projects.items[0]?.id ?? '';
  const params = { projectId };
  const tasks = await api.tasks.listInProject({ params, query: { limit: 100 } }, options);
  // The task with the most comments.
  const [task] = tasks.items.toSorted((a, b) => b.commentCount - a.commentCount);
  const taskId = task?.id ?? '';
  const assetId = assets.items[0]?.id ?? '';
  return [
    ...publicPages.map((page) => ({ ...page, isPublic: true })),
    { name: 'dashboard', path: '/' },
    { name: 'collections', path: '/collections' },
    { name: 'collection', path: `/collections/${collectionId}` },
    { name: 'asset', path: `/assets/${assetId}` },
    { name: 'favorites', path: '/favorites' },
    { name: 'bin', path: '/bin' },
    { name: 'projects', path: '/projects' },
    { name: 'project', path: `/projects/${projectId}` },
    { name: 'task', path: `/projects/${projectId}?task=${taskId}` },
    { name: 'task-page', path: `/projects/${projectId}/tasks/${taskId}` },
    { name: 'notifications', path: '/notifications' },
    { name: 'search', path: '/search?q=the' },
    { name: 'my-tasks', path: '/my-tasks' },
    { name: 'profile', path: '/settings/profile' },
    { name: 'notification-settings', path: '/settings/notifications' },
    { name: 'security', path: '/settings/security' },
    { name: 'api-keys', path: '/settings/api-keys' },
    { name: 'approvals', path: '/approvals' },
    { name: 'organization', path: '/settings/organization' },
    { name: 'public-access', path: '/settings/public' },
    { name: 'webhooks', path: '/settings/webhooks' },
    { name: 'service-accounts', path: '/settings/service-accounts' },
    { name: 'member-keys', path: '/settings/member-keys' },
    { name: 'members', path: '/settings/members' },
    { name: 'plan', path: '/settings/plan' },
    { name: 'activity', path: '/activity' },
    { name: 'timeline', path: '/admin/timeline' },
    { name: 'timeline-resource', path: `/admin/timeline/collection/${collectionId}` },
    { name: 'summary', path: '/admin/summary' },
  ];
}

const publicPages: readonly MappedPage[] = [
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'keep-account', path: '/keep-account?token=old' },
  { name: 'change-email', path: '/change-email?token=old' },
  { name: 'undo-email-change', path: '/undo-email-change?token=old' },
  { name: 'unsubscribe', path: '/unsubscribe?token=old' },
  { name: 'verify-email', path: '/verify-email?token=old', expectedError: clientError },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'reset-password', path: '/reset-password?token=old' },
  { name: 'loading', path: '/loading?code=old' },
  { name: 'invitation', path: '/invitations/old', expectedError: clientError },
  { name: 'share', path: '/share' },
  { name: 'plans', path: '/plans' },
  { name: 'not-found', path: '/nothing/here' },
];
