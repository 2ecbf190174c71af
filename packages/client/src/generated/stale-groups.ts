// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

import type { ResourceType } from './types.ts';

/** The groups whose queries a change of a resource makes stale. */
export const staleGroups: Readonly<Record<ResourceType, string>> = {
  user: 'auth sessions timeline assets tasks account security dashboard notifications',
  api_key: 'apiKeys timeline assets serviceAccounts organizations dashboard notifications',
  organization: 'organizations apiKeys webhooks serviceAccounts notifications timeline dashboard',
  member: 'organizations tasks timeline dashboard notifications',
  invitation: 'organizations timeline dashboard notifications',
  collection: 'collections assets uploads timeline dashboard notifications',
  asset: 'assets uploads collections timeline dashboard notifications',
  upload: 'uploads timeline dashboard notifications',
  project: 'projects tasks timeline dashboard notifications',
  task: 'tasks comments labels notifications projects timeline dashboard',
  comment: 'comments tasks timeline dashboard notifications',
  label: 'labels tasks timeline dashboard notifications',
  webhook: 'webhooks organizations timeline dashboard notifications',
  service_account: 'serviceAccounts organizations apiKeys timeline dashboard notifications',
};
