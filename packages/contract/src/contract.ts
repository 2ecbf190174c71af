import { apiKeys } from './api-keys.ts';
import { assets } from './assets.ts';
import { auth } from './auth.ts';
import { collections } from './collections.ts';
import { comments } from './comments.ts';
import { dashboard } from './dashboard.ts';
import { events } from './events.ts';
import type { groupCatalogue } from './groups.ts';
import { health } from './health.ts';
import { organizations } from './organizations.ts';
import { plans } from './plans.ts';
import { profile } from './profile.ts';
import { projects } from './projects.ts';
import { serviceAccounts } from './service-accounts.ts';
import { sessions } from './sessions.ts';
import { tasks } from './tasks.ts';
import { timeline } from './timeline.ts';
import { labels } from './labels.ts';
import { webhooks } from './webhooks.ts';
import { account } from './account.ts';
import { security } from './security.ts';
import { search } from './search.ts';
import { notifications } from './notifications.ts';
import { assetComments } from './asset-comments.ts';
import { shares } from './shares.ts';
import { taskAssets } from './task-assets.ts';
import { approvals } from './approvals.ts';
import { uploads } from './uploads.ts';

/** The type of {@link contract}. An alias: an interface would be no router to ts-rest. */
export type Contract = {
  readonly health: typeof health;
  readonly auth: typeof auth;
  readonly sessions: typeof sessions;
  readonly apiKeys: typeof apiKeys;
  readonly profile: typeof profile;
  readonly plans: typeof plans;
  readonly timeline: typeof timeline;
  readonly events: typeof events;
  readonly organizations: typeof organizations;
  readonly collections: typeof collections;
  readonly assets: typeof assets;
  readonly uploads: typeof uploads;
  readonly projects: typeof projects;
  readonly tasks: typeof tasks;
  readonly comments: typeof comments;
  readonly dashboard: typeof dashboard;
  readonly labels: typeof labels;
  readonly webhooks: typeof webhooks;
  readonly serviceAccounts: typeof serviceAccounts;
  readonly account: typeof account;
  readonly security: typeof security;
  readonly notifications: typeof notifications;
  readonly search: typeof search;
  readonly assetComments: typeof assetComments;
  readonly shares: typeof shares;
  readonly taskAssets: typeof taskAssets;
  readonly approvals: typeof approvals;
};

/** Every operation of the service, as a ts-rest router; each group is one feature. */
export const contract: Contract = {
  health,
  auth,
  sessions,
  apiKeys,
  profile,
  plans,
  timeline,
  events,
  organizations,
  collections,
  assets,
  uploads,
  projects,
  tasks,
  comments,
  dashboard,
  labels,
  webhooks,
  serviceAccounts,
  account,
  security,
  notifications,
  search,
  assetComments,
  shares,
  taskAssets,
  approvals,
} satisfies Record<keyof typeof groupCatalogue, object>;
