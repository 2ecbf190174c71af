import type { Feature, Features } from '../state/model.ts';
import { account } from './account.ts';
import { apiKeys } from './api-keys.ts';
import { approvals } from './approvals.ts';
import { addSampleAssets, assets } from './assets.ts';
import { assetComments } from './asset-comments.ts';
import { auth } from './auth.ts';
import { collections } from './collections.ts';
import { comments } from './comments.ts';
import { dashboard } from './dashboard.ts';
import { health } from './health.ts';
import { invitations } from './invitations.ts';
import { keyPolicy } from './key-policy.ts';
import { labels } from './labels.ts';
import { members } from './members.ts';
import { followForInboxes, notifications } from './notifications.ts';
import { organizations } from './organizations.ts';
import { addPlans } from './plans.ts';
import { profile } from './profile.ts';
import { projects } from './projects.ts';
import { search } from './search.ts';
import { security } from './security.ts';
import { serviceAccounts } from './service-accounts.ts';
import { shareComments } from './share-comments.ts';
import { sharePolicy } from './share-policy.ts';
import { shareVisits } from './share-visits.ts';
import { shares } from './shares.ts';
import { sessions } from './sessions.ts';
import { taskAssets } from './task-assets.ts';
import { tasks } from './tasks.ts';
import { timeline } from './timeline.ts';
import { uploads } from './uploads.ts';
import { covers } from './covers.ts';
import { versions } from './versions.ts';
import { followActivities, webhooks } from './webhooks.ts';

/** A group without a file of its own follows the contract alone. */
const all: readonly Feature[] = [
  account,
  apiKeys,
  approvals,
  assetComments,
  assets,
  auth,
  collections,
  comments,
  dashboard,
  health,
  invitations,
  keyPolicy,
  labels,
  members,
  notifications,
  organizations,
  profile,
  projects,
  search,
  security,
  serviceAccounts,
  sessions,
  shareComments,
  sharePolicy,
  shareVisits,
  shares,
  taskAssets,
  tasks,
  timeline,
  uploads,
  versions,
  covers,
  webhooks,
];

const operations = new Map(all.flatMap((one) => Object.entries(one.operations ?? {})));
const kinds = new Map(all.flatMap((one) => Object.entries(one.kinds ?? {})));

export const features: Features = {
  operation: (id) => operations.get(id) ?? {},
  kind: (kind) => kinds.get(kind) ?? {},
  setUp: (state) => {
    addPlans(state);
    followActivities(state);
    followForInboxes(state);
  },
  addSamples: addSampleAssets,
};
