// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

import type { ResourceType } from './types.ts';

/** The groups whose queries a change of a resource makes stale. */
export const staleGroups: Readonly<Record<ResourceType, string>> = {
  user: 'auth sessions timeline assets tasks account security dashboard',
  api_key: 'apiKeys timeline assets serviceAccounts organizations dashboard',
  organization: 'organizations apiKeys webhooks serviceAccounts timeline dashboard',
  member: 'organizations tasks timeline dashboard',
  invitation: 'organizations timeline dashboard',
  collection: 'collections assets uploads timeline dashboard',
  asset: 'assets uploads collections timeline dashboard',
  upload: 'uploads timeline dashboard',
  project: 'projects tasks timeline dashboard',
  task: 'tasks comments labels projects timeline dashboard',
  comment: 'comments tasks timeline dashboard',
  label: 'labels tasks timeline dashboard',
  webhook: 'webhooks organizations timeline dashboard',
  service_account: 'serviceAccounts organizations apiKeys timeline dashboard',
};
