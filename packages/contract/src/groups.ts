import { apiKeysGroup } from './api-keys-group.ts';
import { assetsGroup } from './assets-group.ts';
import { authGroup } from './auth-group.ts';
import { collectionsGroup } from './collections-group.ts';
import { commentsGroup } from './comments-group.ts';
import { dashboardGroup } from './dashboard-group.ts';
import { eventsGroup } from './events-group.ts';
import { healthGroup } from './health-group.ts';
import { organizationsGroup } from './organizations-group.ts';
import { plansGroup } from './plans-group.ts';
import { profileGroup } from './profile-group.ts';
import { projectsGroup } from './projects-group.ts';
import { serviceAccountsGroup } from './service-accounts-group.ts';
import { sessionsGroup } from './sessions-group.ts';
import { tasksGroup } from './tasks-group.ts';
import { timelineGroup } from './timeline-group.ts';
import { labelsGroup } from './labels-group.ts';
import { webhooksGroup } from './webhooks-group.ts';
import { accountGroup } from './account-group.ts';
import { securityGroup } from './security-group.ts';
import { searchGroup } from './search-group.ts';
import { notificationsGroup } from './notifications-group.ts';
import { assetCommentsGroup } from './asset-comments-group.ts';
import { sharesGroup } from './shares-group.ts';
import { taskAssetsGroup } from './task-assets-group.ts';
import { approvalsGroup } from './approvals-group.ts';
import { uploadsGroup } from './uploads-group.ts';

/** What the contract says of each group besides its operations; a group without an entry doesn't compile. */
export const groupCatalogue = {
  health: healthGroup,
  auth: authGroup,
  sessions: sessionsGroup,
  apiKeys: apiKeysGroup,
  profile: profileGroup,
  plans: plansGroup,
  timeline: timelineGroup,
  organizations: organizationsGroup,
  collections: collectionsGroup,
  assets: assetsGroup,
  uploads: uploadsGroup,
  projects: projectsGroup,
  tasks: tasksGroup,
  comments: commentsGroup,
  events: eventsGroup,
  dashboard: dashboardGroup,
  labels: labelsGroup,
  webhooks: webhooksGroup,
  serviceAccounts: serviceAccountsGroup,
  account: accountGroup,
  security: securityGroup,
  notifications: notificationsGroup,
  search: searchGroup,
  assetComments: assetCommentsGroup,
  shares: sharesGroup,
  taskAssets: taskAssetsGroup,
  approvals: approvalsGroup,
};
