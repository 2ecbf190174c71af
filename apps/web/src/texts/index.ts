import { texts as activity } from './activity.ts';
import { texts as apiKeys } from './api-keys.ts';
import { texts as approvals } from './approvals.ts';
import { texts as asset } from './asset.ts';
import { texts as assetActivity } from './asset-activity.ts';
import { texts as assetComments } from './asset-comments.ts';
import { texts as assetLink } from './asset-link.ts';
import { texts as assetVersions } from './asset-versions.ts';
import { texts as binDialogs } from './bin-dialogs.ts';
import { texts as bin } from './bin.ts';
import { texts as calendar } from './calendar.ts';
import { texts as clipboard } from './clipboard.ts';
import { texts as collection } from './collection.ts';
import { texts as collections } from './collections.ts';
import { texts as compareVersions } from './compare-versions.ts';
import { texts as confirmation } from './confirmation.ts';
import { texts as connection } from './connection.ts';
import { texts as credentials } from './credentials.ts';
import { texts as share } from './share.ts';
import { texts as sharing } from './sharing.ts';
import { texts as shared } from './shared.ts';
import { texts as dashboard } from './dashboard.ts';
import { texts as downloads } from './downloads.ts';
import { texts as enrollment } from './enrollment.ts';
import { texts as errors } from './errors.ts';
import { texts as favorites } from './favorites.ts';
import { texts as labels } from './labels.ts';
import { texts as keys } from './keys.ts';
import { texts as library } from './library.ts';
import { texts as loading } from './loading.ts';
import { texts as memberKeys } from './member-keys.ts';
import { texts as markdown } from './markdown.ts';
import { texts as members } from './members.ts';
import { texts as myTasks } from './my-tasks.ts';
import { texts as notifications } from './notifications.ts';
import { texts as notificationSettings } from './notification-settings.ts';
import { texts as organization } from './organization.ts';
import { texts as palette } from './palette.ts';
import { texts as passkeys } from './passkeys.ts';
import { texts as passwordInput } from './password-input.ts';
import { texts as passwordStrength } from './password-strength.ts';
import { texts as pdf } from './pdf.ts';
import { texts as plan } from './plan.ts';
import { texts as profile } from './profile.ts';
import { texts as project } from './project.ts';
import { texts as projects } from './projects.ts';
import { texts as sameNames } from './same-names.ts';
import { texts as reviewStatus } from './review-status.ts';
import { texts as publicAccess } from './public-access.ts';
import { texts as search } from './search.ts';
import { texts as secondFactor } from './second-factor.ts';
import { texts as security } from './security.ts';
import { texts as serviceAccounts } from './service-accounts.ts';
import { texts as viewer } from './viewer.ts';
import { texts as webhooks } from './webhooks.ts';
import { texts as welcome } from './welcome.ts';
import { texts as session } from './session.ts';
import { texts as shell } from './shell.ts';
import { texts as signOut } from './sign-out.ts';
import { texts as summary } from './summary.ts';
import { texts as tags } from './tags.ts';
import { texts as taskCsv } from './task-csv.ts';
import { texts as taskFiles } from './task-files.ts';
import { texts as taskPage } from './task-page.ts';
import { texts as taskSubtasks } from './task-subtasks.ts';
import { texts as tasks } from './tasks.ts';
import { texts as textView } from './text-view.ts';
import { texts as timelineResource } from './timeline-resource.ts';
import { texts as timeline } from './timeline.ts';
import { texts as unsentChanges } from './unsent-changes.ts';
import { texts as unsent } from './unsent.ts';
import { texts as unsubscribe } from './unsubscribe.ts';
import { texts as uploadRequest } from './upload-request.ts';
import { texts as uploads } from './uploads.ts';

/** All texts of the app, for translations. Pages import only the module that they show. */
export const allTexts = {
  activity,
  apiKeys,
  approvals,
  asset,
  assetActivity,
  assetComments,
  assetLink,
  assetVersions,
  bin,
  binDialogs,
  calendar,
  clipboard,
  collection,
  collections,
  compareVersions,
  confirmation,
  connection,
  credentials,
  share,
  shared,
  sharing,
  dashboard,
  downloads,
  enrollment,
  errors,
  favorites,
  labels,
  keys,
  library,
  loading,
  markdown,
  memberKeys,
  members,
  myTasks,
  notifications,
  notificationSettings,
  organization,
  palette,
  passkeys,
  passwordInput,
  passwordStrength,
  pdf,
  plan,
  profile,
  project,
  projects,
  sameNames,
  reviewStatus,
  publicAccess,
  search,
  secondFactor,
  security,
  serviceAccounts,
  webhooks,
  welcome,
  session,
  shell,
  signOut,
  summary,
  tags,
  taskCsv,
  taskFiles,
  taskPage,
  taskSubtasks,
  tasks,
  textView,
  timelineResource,
  timeline,
  unsent,
  unsentChanges,
  unsubscribe,
  uploadRequest,
  uploads,
  viewer,
};
