import type { Deps } from './deps.ts';
import { apiKeysFeature } from './features/api-keys/routes.ts';
import { assetsFeature } from './features/assets/routes.ts';
import { authFeature } from './features/auth/routes.ts';
import { collectionsFeature } from './features/collections/routes.ts';
import { commentsFeature } from './features/comments/routes.ts';
import { dashboardFeature } from './features/dashboard/routes.ts';
import { eventsFeature } from './features/events/routes.ts';
import { healthFeature } from './features/health/routes.ts';
import { organizationsFeature } from './features/organizations/routes.ts';
import { plansFeature } from './features/plans/routes.ts';
import { profileFeature } from './features/profile/routes.ts';
import { projectsFeature } from './features/projects/routes.ts';
import { sessionsFeature } from './features/sessions/routes.ts';
import { tasksFeature } from './features/tasks/routes.ts';
import { timelineFeature } from './features/timeline/routes.ts';
import { uploadsFeature } from './features/uploads/routes.ts';
import { labelsFeature } from './features/labels/routes.ts';
import { serviceAccountsFeature } from './features/service-accounts/routes.ts';
import { webhooksFeature } from './features/webhooks/routes.ts';
import { accountFeature } from './features/account/routes.ts';
import { securityFeature } from './features/security/routes.ts';
import { notificationsFeature } from './features/notifications/routes.ts';
import { searchFeature } from './features/search/routes.ts';
import { assetCommentsFeature } from './features/asset-comments/routes.ts';
import { sharesFeature } from './features/shares/routes.ts';
import { taskAssetsFeature } from './features/task-assets/routes.ts';
import { approvalsFeature } from './features/approvals/routes.ts';
import type { Feature, GroupName } from './http/feature.ts';

/** Every contract group with its implementation: a group without one doesn't compile. */
export const features: {
  readonly [Group in GroupName]: (deps: Deps) => Feature;
} = {
  health: healthFeature,
  auth: authFeature,
  sessions: sessionsFeature,
  apiKeys: apiKeysFeature,
  profile: profileFeature,
  timeline: timelineFeature,
  events: eventsFeature,
  collections: collectionsFeature,
  assets: assetsFeature,
  uploads: uploadsFeature,
  plans: plansFeature,
  organizations: organizationsFeature,
  tasks: tasksFeature,
  projects: projectsFeature,
  comments: commentsFeature,
  dashboard: dashboardFeature,
  labels: labelsFeature,
  webhooks: webhooksFeature,
  serviceAccounts: serviceAccountsFeature,
  account: accountFeature,
  security: securityFeature,
  notifications: notificationsFeature,
  search: searchFeature,
  assetComments: assetCommentsFeature,
  shares: sharesFeature,
  taskAssets: taskAssetsFeature,
  approvals: approvalsFeature,
};
