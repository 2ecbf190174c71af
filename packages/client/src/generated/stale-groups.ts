// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

import type { ResourceType } from './types.ts';

/** The groups whose queries a change of a resource makes stale. */
export const staleGroups: Readonly<Record<ResourceType, string>> = {
  user: 'auth sessions timeline assets tasks account security search dashboard notifications',
  api_key: 'apiKeys timeline assets serviceAccounts organizations dashboard notifications search',
  organization: 'organizations apiKeys assets webhooks serviceAccounts notifications search shares timeline dashboard',
  member: 'organizations tasks timeline dashboard notifications search',
  invitation: 'organizations timeline dashboard notifications search',
  collection: 'collections assets uploads search timeline dashboard notifications',
  asset: 'assets uploads assetComments shares taskAssets collections timeline dashboard notifications search',
  upload: 'uploads timeline dashboard notifications search',
  project: 'projects tasks search timeline dashboard notifications',
  task: 'tasks comments labels notifications taskAssets projects timeline dashboard search',
  comment: 'comments tasks timeline dashboard notifications search',
  label: 'labels tasks timeline dashboard notifications search',
  webhook: 'webhooks organizations timeline dashboard notifications search',
  service_account: 'serviceAccounts organizations apiKeys timeline dashboard notifications search',
  asset_comment: 'assetComments shares assets timeline dashboard notifications search',
  share: 'shares assets organizations timeline dashboard notifications search',
  approval: 'approvals timeline dashboard notifications search',
};
